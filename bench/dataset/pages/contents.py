"""A table of contents: number, title and page of each chapter, row by row; sections are indented."""
import text
from draw import Page, Style, wrap


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(18, 30)
    edge, pitch = size * 3, round(size * dice.real(1.7, 2.1))
    width = size * dice.whole(26, 36)
    page = Page(width, size * 90, dice.pick(((255, 255, 255), (252, 250, 244))))
    ink = (24, 24, 28)
    y = edge + size
    page.text(edge, y, "Contents" if language == "en" else "目录", style.bold, round(size * 1.6), ink)
    y += pitch
    number = dice.whole(3, 9)
    for chapter in range(dice.whole(3, 5)):
        y += pitch + size // 2
        title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
        page.text(edge, y, f"{chapter + 1}.", style.bold, size, ink)
        page.text(edge + size * 2, y, title, style.bold, size, ink)
        page.text(width - edge, y, str(number), style.bold, size, ink, "right")
        for section in range(dice.whole(1, 4)):
            y += pitch
            number += dice.whole(2, 14)
            page.text(edge + size * 2, y, f"{chapter + 1}.{section + 1}", style.body, size, ink)
            title = wrap(text.short_sentence(dice, language), style.body, size, width - 2 * edge - size * 8)[0]
            page.text(edge + round(size * 4.5), y, title, style.body, size, ink)
            page.text(width - edge, y, str(number), style.body, size, ink, "right")
    return page.cut(y + edge)
