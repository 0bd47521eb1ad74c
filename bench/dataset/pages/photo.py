"""A picture from a phone, 3000 x 4000 px: a sheet or a sign with a few lines of large type
before a plain ground; some have a line of small print."""
import text
from draw import Page, Style, fitting_size

WIDTH, HEIGHT = 3000, 4000


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    page = Page(WIDTH, HEIGHT, dice.pick(((122, 96, 74), (70, 74, 82), (180, 172, 160), (40, 52, 48))))
    left, top = dice.whole(200, 500), dice.whole(200, 800)
    right, bottom = WIDTH - dice.whole(200, 500), HEIGHT - dice.whole(300, 900)
    page.pen.rectangle((left, top, right, bottom), dice.pick(((240, 238, 230), (228, 238, 250), (250, 240, 214))))
    size = dice.whole(60, 140)
    ink = dice.pick(((20, 20, 24), (90, 30, 20), (20, 40, 90)))
    y = top + 2 * size
    while y < bottom - 3 * size:
        words = dice.pick((lambda: text.short_sentence(dice, language), lambda: text.address(dice, language),
                           lambda: text.phone(dice), lambda: text.date(dice), lambda: text.serial(dice)))()
        fitting = fitting_size(words, style.body, size, right - left - 2 * size)
        page.text(left + size, y, words, style.body, fitting, ink)
        y += round(size * dice.real(1.7, 3.5))
    if dice.chance(0.4):
        words, small = text.sentence(dice, language), dice.whole(22, 36)
        small = fitting_size(words, style.body, small, right - left - 2 * size)
        page.text(left + size, bottom - size, words, style.body, small, ink)
    return page
