"""A large scan full of tiny type: 3300 x 2550 px, four columns of 9 px, as a form or a price list scanned whole."""
import text
from draw import Page, Style, fitting_size

WIDTH, HEIGHT, SIZE = 3300, 2550, 9
COLUMNS, EDGE, GAP = 4, 120, 60  # px: beside the text, and between columns


def draw(dice):
    style = Style.pick(dice, "en")
    page = Page(WIDTH, HEIGHT, dice.pick(((255, 255, 255), (250, 250, 246))))
    page.max_turn_deg = 0
    ink = (20, 20, 24)
    title = dice.pick(text.TITLES_EN)
    page.text(EDGE, EDGE, title, style.bold, fitting_size(title, style.bold, 4 * SIZE, WIDTH - 2 * EDGE), ink)
    column = (WIDTH - 2 * EDGE + GAP) // COLUMNS - GAP
    for n in range(COLUMNS):
        x, y = EDGE + n * (column + GAP), EDGE * 2
        bottom = dice.whole(400, 900)
        while y < bottom:
            words = " ".join(text.sentence(dice, "en") for _ in range(dice.whole(2, 4)))
            y = page.paragraph(x, y, words, style.body, SIZE, column // 2, ink, pitch=2) + SIZE
    return page
