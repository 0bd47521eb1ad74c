"""A form with two fields in a row, each a label and a value; some take the whole row, or several lines."""
import text
from draw import Page, Style, fitting_size, wrap
from pages.form import LABELS, fill_in


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(16, 26)
    edge, row = size * 2, round(size * dice.real(2.2, 2.8))
    label_width, value_width = size * 8, size * 11
    half = label_width + value_width
    width = 2 * (edge + half)
    page = Page(width, size * 80, dice.pick(((255, 255, 255), (246, 248, 250))))
    ink, grey = (20, 20, 24), (150, 150, 160)
    y = edge + size
    title = "Application Form" if language == "en" else dice.pick(("申请表", "登记表", "设备领用单"))
    page.text(width / 2, y, title, style.bold, round(size * 1.5), ink, "center")
    labels = dice.several([label for label in LABELS if label[1] != "Remark"], 10)

    def field(x, chinese, english, available):
        page.text(x, y, english if language == "en" else chinese, style.body, size, ink)
        value = fill_in(dice, english, language)
        page.text(x + label_width, y, value, style.body, fitting_size(value, style.body, size, available), ink)

    while labels:
        y += row
        if len(labels) < 2 or dice.chance(0.2):
            field(edge, *labels.pop(), value_width + half)
        else:
            field(edge, *labels.pop(), value_width - size)
            field(edge + half + size, *labels.pop(), value_width - size)
        page.pen.line((edge, y + row * 0.4, width - edge, y + row * 0.4), grey, max(1, size // 16))
    y += row
    page.text(edge, y, "Remark" if language == "en" else "说明", style.body, size, ink)
    remark = " ".join(text.sentence(dice, language) for _ in range(dice.whole(1, 3)))
    for line in wrap(remark, style.body, size, width - 2 * edge - label_width):
        page.text(edge + label_width, y, line, style.body, size, ink)
        y += round(size * 1.65)
    y += row
    page.text(edge, y, text.serial(dice), style.body, size, ink)
    page.text(width - edge, y, text.date(dice), style.body, size, ink, "right")
    return page.cut(y + edge)
