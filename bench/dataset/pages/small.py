"""Small print: text at 12 to 16 px, close to the limit of legibility."""
import text
from draw import Page, Style


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(12, 15) if language == "en" else dice.whole(13, 16)
    width, edge = size * dice.whole(28, 44), size * 2
    page = Page(width, size * 60, dice.pick(((255, 255, 255), (250, 250, 244))))
    y = edge + size
    for n in range(dice.whole(3, 4)):
        clause = f"({n + 1}) " + text.sentence(dice, language)
        y = page.paragraph(edge, y, clause, style.body, size, width - 2 * edge, pitch=1.7)
        y += size // 2
    page.text(edge, y, text.web(dice), style.body, size)
    return page.cut(y + edge)
