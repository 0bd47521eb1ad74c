"""A banner or a strip of film titles, up to 20000 px wide: one or two rows of short texts with wide gaps."""
import text
from draw import Page, Style, width_of


def draw(dice):
    style = Style.pick(dice, "en")
    width, height, size = dice.pick(((20000, 200, 48), (12000, 64, 24), (8000, 400, 60), (16000, 120, 16)))
    page = Page(width, height, dice.pick(((255, 255, 255), (250, 240, 214))))
    page.max_turn_deg = 0
    rows = 1 if height < 4 * size else 2
    for row in range(rows):
        y = round(height * (row + 0.5) / rows + size * 0.35)
        x, n = size * 2, 0
        while True:
            n += 1
            words = f"{n} " + dice.pick((text.serial(dice), dice.pick(text.ITEMS_EN), text.date(dice),
                                         text.phone(dice)))
            right = x + width_of(words, style.body, size)
            if right > width - 2 * size:
                break
            page.text(x, y, words, style.body, size)
            x = round(right) + dice.whole(4, 16) * size
    return page
