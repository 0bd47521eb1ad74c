"""Pictures in a grid with a caption of some lines below each; a caption is read whole."""
import text
from draw import TIGHT_MARGIN, Page, Style, fitting_size, wrap

SHADES = ((180, 196, 210), (208, 190, 170), (176, 200, 176), (210, 210, 196))


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(15, 22)
    count = dice.whole(2, 3)
    picture, gap, edge = size * dice.whole(14, 18), size * 2, size * 3
    width = count * picture + (count - 1) * gap + 2 * edge
    page = Page(width, size * 120, (255, 255, 255))
    page.margin = TIGHT_MARGIN
    ink = (30, 30, 34)
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    y = edge + size
    title_size = fitting_size(title, style.bold, size * 2, width - 2 * edge)
    page.text(width / 2, y, title, style.bold, title_size, ink, "center")
    for _ in range(dice.whole(1, 2)):
        top = y + size * 2
        height = round(picture * dice.real(0.5, 0.8))
        for n in range(count):
            x = edge + n * (picture + gap)
            page.pen.rectangle((x, top, x + picture, top + height), dice.pick(SHADES))
            line_y = top + height + round(size * 1.6)
            words = f"({n + 1}) {text.sentence(dice, language)}"
            for line in wrap(words, style.body, size, picture):
                page.text(x, line_y, line, style.body, size, ink)
                line_y += round(size * 1.5)
            y = max(y, line_y)
    return page.cut(y + edge)
