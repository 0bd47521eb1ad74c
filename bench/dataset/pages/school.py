"""A page of a school book, scanned at 1920 x 2560 px: a heading, exercises at 13 to 16 px, and a large figure."""
import text
from draw import Page, Style

WIDTH, HEIGHT = 1920, 2560


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(13, 16)
    page = Page(WIDTH, HEIGHT, (255, 255, 255))
    page.max_turn_deg = 0
    ink = (20, 20, 24)
    edge = size * 8
    page.text(WIDTH / 2, edge, text.either(dice, language, text.TITLES_ZH, text.TITLES_EN), style.bold, 4 * size, ink,
              "center")
    y = edge + 6 * size
    for n in range(dice.whole(10, 16)):
        words = f"({n + 1}) " + " ".join(text.sentence(dice, language) for _ in range(dice.whole(2, 5)))
        y = page.paragraph(edge, y, words, style.body, size, WIDTH - 2 * edge - dice.whole(0, 60) * size, ink, pitch=2)
        y += size * 2
    height = dice.whole(20, 40) * size
    page.pen.rectangle((edge, y, edge + height * 2, y + height), None, ink, 3)
    page.pen.ellipse((edge + height // 4, y + height // 4, edge + height, y + height * 3 // 4), None, ink, 3)
    page.text(edge, y + height + 3 * size, text.short_sentence(dice, language), style.body, size, ink)
    return page
