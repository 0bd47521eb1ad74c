"""Messages on a telephone: those of one side at the left, those of the other at the right, from the top down."""
import text
from draw import TIGHT_MARGIN, Page, Style, width_of, wrap


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(22, 32)
    width, edge = size * dice.whole(20, 26), size
    page = Page(width, size * 120, dice.pick(((236, 240, 244), (255, 255, 255))))
    page.margin = TIGHT_MARGIN
    page.on_screen = True
    ink = (24, 26, 30)
    name = text.either(dice, language, text.SHOPS_ZH, text.SHOPS_EN)
    page.text(width / 2, size * 2, name, style.bold, size, ink, "center")
    y = size * 4
    right = dice.chance(0.5)
    for _ in range(dice.whole(4, 7)):
        words = text.sentence(dice, language) if dice.chance(0.4) else text.short_sentence(dice, language)
        lines = wrap(words, style.body, size, size * 14)
        wide = max(width_of(line, style.body, size) for line in lines) + size
        left = width - edge - wide if right else edge
        height = round(size * 1.5) * len(lines) + size * 0.6
        page.pen.rounded_rectangle((left, y, left + wide, y + height), size // 2,
                                   (206, 232, 200) if right else (222, 226, 232))
        for n, line in enumerate(lines):
            page.text(left + size // 2, y + size * 1.3 + n * round(size * 1.5), line, style.body, size, ink)
        y += height + size
        right = dice.chance(0.5)
    return page.cut(y + size)
