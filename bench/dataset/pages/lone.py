"""A sheet scanned at 2480 x 3508 px with one short line on it, at 14 to 60 px, anywhere."""
import text
from draw import Page, Style

WIDTH, HEIGHT = 2480, 3508


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(14, 60)
    page = Page(WIDTH, HEIGHT, (255, 255, 255))
    page.max_turn_deg = 0
    words = dice.pick((f"- {dice.whole(2, 240)} -", text.date(dice), text.serial(dice),
                       text.either(dice, language, text.DEPARTMENTS_ZH, text.DEPARTMENTS_EN)))
    page.text(dice.whole(4 * size, WIDTH - 30 * size), dice.whole(4 * size, HEIGHT - 4 * size), words, style.body, size,
              (20, 20, 24))
    return page
