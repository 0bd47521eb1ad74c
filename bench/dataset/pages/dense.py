"""A scanned form that is full of small type: 59 or 60 lines at 12 px, two or three fields to a row, of many widths."""
import text
from draw import Page, Style, width_of

WIDTH, HEIGHT, SIZE = 762, 1000, 12
EDGE, GAP = 40, 20  # px: beside the page's text, and between the fields of a row


def field(dice, face, width):
    """A text for a field, at most `width` px wide."""
    while True:
        words = dice.pick((
            lambda: text.serial(dice), lambda: text.phone(dice), lambda: text.address(dice, "en"),
            lambda: f"Date: {text.date(dice)}", lambda: f"Amount: ${text.money(dice, 9000)}",
            lambda: f"{dice.pick(text.ITEMS_EN)} {dice.whole(2, 990)}", lambda: dice.pick(text.STATES_EN),
            lambda: f"{dice.pick(text.COLUMNS_EN)}: {dice.pick(text.STATES_EN)}, {dice.whole(10, 9999)}",
            lambda: f"Department: {dice.pick(text.DEPARTMENTS_EN)}", lambda: f"Phone: {text.phone(dice)}",
            lambda: f"Send to: {text.address(dice, 'en')}", lambda: f"{dice.pick(text.ITEMS_EN)}, {text.serial(dice)}",
            lambda: text.short_sentence(dice, "en"), lambda: f"Remark: {text.short_sentence(dice, 'en')}",
            lambda: text.web(dice), lambda: f"Website: {text.web(dice)}", lambda: text.sentence(dice, "en")))()
        # The box of a line is a little wider than its text.
        if width_of(words, face, SIZE) <= width - SIZE:
            return words


def draw(dice):
    style = Style.pick(dice, "en")
    page = Page(WIDTH, HEIGHT, dice.pick(((255, 255, 255), (250, 250, 246), (240, 240, 238))))
    page.max_turn_deg = 0
    ink = dice.pick(((20, 20, 24), (50, 50, 54)))
    grey = (170, 170, 174)
    left = dice.whole(59, 60) - 1
    page.text(WIDTH / 2, EDGE + SIZE, dice.pick(text.TITLES_EN), style.bold, SIZE, ink, "center")
    fields = []  # of each row
    while left > 0:
        fields.append(left if left <= 3 else dice.whole(2, min(3, left - 2)))
        left -= fields[-1]
    row = (HEIGHT - 3 * EDGE) / len(fields)
    for n, count in enumerate(fields):
        y = 2 * EDGE + round(row * (n + 0.5))
        x = EDGE
        shares = dice.pick(((4, 4, 4), (3, 4, 5), (5, 4, 3)) if count == 3 else ((4, 8), (6, 6), (7, 5)))
        for share in shares[:count]:
            width = (WIDTH - 2 * EDGE + GAP) * share // 12 - GAP
            page.text(x + SIZE // 2, y, field(dice, style.body, width), style.body, SIZE, ink)
            x += width + GAP
        if dice.chance(0.5):
            page.pen.line((EDGE, y + SIZE, WIDTH - EDGE, y + SIZE), grey, 1)
    return page
