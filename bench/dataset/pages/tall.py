"""A receipt, a log or a screenshot of a whole page, up to 30000 px high: numbered lines, some of them spaced widely."""
import text
from draw import Page, Style, fitting_size


def draw(dice):
    style = Style.pick(dice, "en")
    width, height, size = dice.pick(((500, 30000, 22), (320, 12000, 14), (1080, 20000, 40), (800, 8000, 26)))
    page = Page(width, height, (255, 255, 255))
    page.max_turn_deg = 0
    ink, edge, n = (20, 20, 24), size * 2, 0
    y = edge + size
    while y < height - edge:
        n += 1
        words = f"{n} " + dice.pick((lambda: text.short_sentence(dice, "en"), lambda: text.serial(dice),
                                     lambda: dice.pick(text.ITEMS_EN), lambda: text.date(dice)))()
        page.text(edge, y, words, style.body, fitting_size(words, style.body, size, width - 2 * edge), ink)
        y += round(size * dice.real(1.5, 2.4))
        if dice.chance(0.01):
            y += dice.whole(10, 60) * size
    return page
