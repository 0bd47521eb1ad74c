"""A letter: the sender's address at the right edge, the receiver's at the left, a subject, paragraphs, a footer."""
import text
from draw import Page, Style


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(15, 24)
    pitch, edge = round(size * 1.65), size * 4
    width = size * dice.whole(36, 46)
    page = Page(width, size * 90, (255, 255, 255))
    ink = dice.pick(((20, 20, 24), (40, 44, 60)))
    y = edge
    for line in (text.either(dice, language, text.SHOPS_ZH, text.SHOPS_EN), text.address(dice, language),
                 text.phone(dice)):
        page.text(width - edge, y, line, style.body, size, ink, "right")
        y += pitch
    y += pitch
    for line in (text.either(dice, language, text.DEPARTMENTS_ZH, text.DEPARTMENTS_EN), text.address(dice, language)):
        page.text(edge, y, line, style.body, size, ink)
        y += pitch
    y += pitch
    page.text(width - edge, y, text.date(dice, "zh" if language == "zh" else "en"), style.body, size, ink, "right")
    y += pitch * 2
    subject = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(edge, y, subject, style.bold, size, ink)
    y += pitch * 2
    for _ in range(dice.whole(2, 4)):
        words = " ".join(text.sentence(dice, language) for _ in range(dice.whole(2, 4)))
        y = page.paragraph(edge, y, words, style.body, size, width - 2 * edge, ink) + pitch // 2
    y += pitch
    page.text(edge, y, text.either(dice, language, text.DEPARTMENTS_ZH, text.DEPARTMENTS_EN), style.body, size, ink)
    y += pitch * 4
    small = round(size * 0.8)
    page.text(edge, y, text.web(dice), style.body, small, ink)
    page.text(width - edge, y, f"{dice.whole(2, 9)} / {dice.whole(10, 12)}", style.body, small, ink, "right")
    return page.cut(y + edge)
