"""A form: a title and fields, each with a label on the left and a value on the right, underlined or in boxes."""
import text
from draw import Page, Style, fitting_size

LABELS = (("申请日期", "Date"), ("设备编号", "Serial number"), ("所属部门", "Department"), ("联系电话", "Phone"),
          ("送货地址", "Address"), ("物品名称", "Item"), ("总金额", "Amount"), ("开始时间", "Start time"),
          ("网站", "Website"), ("当前状态", "Status"), ("数量", "Quantity"), ("说明", "Remark"))


def fill_in(dice, label, language):
    """A value for the field with this English label."""
    return {
        "Date": lambda: text.date(dice, "en" if language == "en" else "zh"),
        "Serial number": lambda: text.serial(dice),
        "Department": lambda: text.either(dice, language, text.DEPARTMENTS_ZH, text.DEPARTMENTS_EN),
        "Phone": lambda: text.phone(dice),
        "Address": lambda: text.address(dice, language),
        "Item": lambda: text.either(dice, language, text.ITEMS_ZH, text.ITEMS_EN),
        "Amount": lambda: f"{dice.pick('¥$€')}{text.money(dice, 9000)}",
        "Start time": lambda: text.time(dice),
        "Website": lambda: text.web(dice),
        "Status": lambda: text.either(dice, language, text.STATES_ZH, text.STATES_EN),
        "Quantity": lambda: str(dice.whole(10, 990)),
        "Remark": lambda: text.short_sentence(dice, language),
    }[label]()


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(20, 38)
    width, edge, row = size * dice.whole(26, 34), size * 2, round(size * dice.real(2.2, 2.8))
    page = Page(width, size * 60, dice.pick(((255, 255, 255), (246, 248, 250), (255, 252, 240))))
    ink = dice.pick(((20, 20, 24), (28, 50, 110), (60, 40, 40)))
    grey = (150, 150, 160)
    boxed = dice.chance(0.5)
    y = edge + size * 2
    title = "Application Form" if language == "en" else dice.pick(("申请表", "登记表", "设备领用单"))
    page.text(width / 2, y, title, style.bold, round(size * 1.6), ink, "center")
    middle = edge + round(size * 9)
    top = y + row // 2
    for chinese, english in dice.several(LABELS, dice.whole(5, 9)):
        y += row
        label = english if language == "en" or language == "mixed" and dice.chance(0.4) else chinese
        value = fill_in(dice, english, language)
        page.text(edge + size // 2, y, label, style.body, size, ink)
        available = width - edge - middle - size // 2
        page.text(middle, y, value, style.body, fitting_size(value, style.body, size, available), ink)
        line_y = y + round(row * 0.42)
        page.pen.line((edge if boxed else middle - size, line_y, width - edge, line_y), grey, max(1, size // 16))
    if boxed:
        page.pen.rectangle((edge, top - row // 16, width - edge, line_y), None, (90, 90, 100), max(1, size // 12))
        page.pen.line((middle - size, top, middle - size, line_y), grey, max(1, size // 16))
    return page.cut(line_y + edge)
