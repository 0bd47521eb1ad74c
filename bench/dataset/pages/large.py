"""Large type: a poster with few words, up to a quarter of the width high; the page is up to 2000 px wide."""
import text
from draw import Page, Style, fitting_size


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    width = dice.whole(900, 2000)
    edge = width // 12
    paper = dice.pick(((255, 236, 200), (24, 60, 90), (250, 250, 250), (90, 20, 60), (210, 230, 220)))
    page = Page(width, width * 2, paper)
    ink = (255, 250, 240) if sum(page.paper) < 380 else (40, 24, 30)
    y = edge
    for words, share in ((text.either(dice, language, text.TITLES_ZH, text.TITLES_EN), 0.2),
                         (text.either(dice, language, text.SHOPS_ZH, text.SHOPS_EN), 0.1),
                         (f"{dice.whole(10, 90)}%", 0.25), (text.date(dice), 0.08),
                         (text.address(dice, language), 0.06)):
        size = fitting_size(words, style.bold, round(width * share), width - 2 * edge)
        y += round(size * 1.1)
        page.text(width / 2, y, words, style.bold, size, ink, "center")
        y += round(size * 0.5)
    return page.cut(y + edge)
