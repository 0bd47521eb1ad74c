"""A page of a magazine: a title above two columns of text, read column by column."""
import text
from draw import Page, Style, fitting_size


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(18, 30)
    column, gap, edge = size * dice.whole(15, 20), size * 3, size * 3
    width = 2 * column + gap + 2 * edge
    page = Page(width, size * 70, dice.pick(((255, 255, 255), (250, 246, 236), (238, 240, 240))))
    ink = dice.pick(((16, 16, 18), (50, 44, 40)))
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(edge, edge + size, title, style.bold, fitting_size(title, style.bold, size * 2, width - 2 * edge), ink)
    top = edge + size * 4
    bottoms = []
    for x in (edge, edge + column + gap):
        y = top
        for _ in range(dice.whole(2, 3)):
            y = page.paragraph(x, y, text.sentence(dice, language), style.body, size, column + size // 2, ink)
            y += size // 2
        bottoms.append(y)
    page.text(width / 2, max(bottoms) + size, f"- {dice.whole(3, 240)} -", style.body, size, ink, "center")
    return page.cut(max(bottoms) + edge)
