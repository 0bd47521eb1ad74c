"""A table with rules: a header row and rows of cells, read row by row."""
import text
from draw import CELL_MARGIN, Page, Style

# English column header -> column width in type sizes; cell() makes the content.
WIDTHS = {"Item": 8, "Count": 4.5, "Price": 6, "Amount": 6, "Date": 7, "Status": 6, "Unit": 7, "Share": 5,
          "Number": 6.5, "Note": 6}


def cell(dice, head, language):
    return {
        "Item": lambda: text.either(dice, language, text.ITEMS_ZH, text.ITEMS_EN),
        "Count": lambda: str(dice.whole(10, 999)),
        "Price": lambda: text.money(dice, 99),
        "Amount": lambda: f"{dice.whole(1, 99)},{dice.whole(0, 999):03}.{dice.whole(0, 99):02}",
        "Date": lambda: f"{dice.whole(2015, 2029)}-{dice.whole(1, 12):02}-{dice.whole(1, 28):02}",
        "Status": lambda: text.either(dice, language, text.STATES_ZH, text.STATES_EN),
        "Unit": lambda: text.either(dice, language, text.DEPARTMENTS_ZH, text.DEPARTMENTS_EN),
        "Share": lambda: f"{dice.whole(0, 99)}.{dice.whole(0, 9)}%",
        "Number": lambda: f"{dice.pick('ABCDEFGH')}-{dice.whole(1000, 9999)}",
        "Note": lambda: text.either(dice, language, ("见附页", "已核对", "加急"), ("See below", "Checked", "Urgent")),
    }[head]()


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(17, 32)
    row, edge = round(size * dice.real(2.0, 2.4)), size * 2
    heads = dice.several(text.COLUMNS_EN, dice.whole(3, 4))
    lefts = [edge]
    for head in heads:
        lefts.append(lefts[-1] + round(size * (WIDTHS[head] + 1.2)))
    num_rows = dice.whole(3, 6)
    page = Page(lefts[-1] + edge, edge * 4 + row * (num_rows + 1))
    ink, grey = (24, 24, 28), (120, 124, 130)
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(page.width / 2, edge + size * 0.6, title, style.bold, round(size * 1.2), ink, "center")
    top = edge * 2
    head_colour = dice.pick(((220, 230, 244), (230, 230, 230), (232, 242, 224)))
    page.pen.rectangle((edge, top, lefts[-1], top + row), head_colour)
    page.margin = CELL_MARGIN
    for n in range(num_rows + 1):
        y = top + row * n + round(row / 2 + size * 0.36)
        for head, left in zip(heads, lefts):
            if n == 0:
                chinese = text.COLUMNS_ZH[text.COLUMNS_EN.index(head)]
                page.text(left + size * 0.6, y, head if language == "en" else chinese, style.bold, size, ink)
            else:
                page.text(left + size * 0.6, y, cell(dice, head, language), style.body, size, ink)
    bottom = top + row * (num_rows + 1)
    for n in range(num_rows + 2):
        page.pen.line((edge, top + row * n, lefts[-1], top + row * n), grey, max(1, size // 16))
    if dice.chance(0.6):
        for left in lefts:
            page.pen.line((left, top, left, bottom), grey, max(1, size // 16))
    return page.cut(bottom + edge)
