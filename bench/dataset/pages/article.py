"""A page of a paper: a running head, two columns of text with a figure and its caption in one of them, a footer."""
import text
from draw import TIGHT_MARGIN, Page, Style, wrap

FIGURE = {"zh": "图", "en": "Figure", "mixed": "图"}


def figure(page, dice, x, y, width, height):
    """A chart without text."""
    page.pen.rectangle((x, y, x + width, y + height), (236, 238, 242), (120, 124, 130), 2)
    count = dice.whole(4, 8)
    for n in range(count):
        left = x + width * (n + 0.3) / count
        high = height * dice.real(0.2, 0.85)
        page.pen.rectangle((left, y + height - high, left + width * 0.4 / count, y + height - 2), (130, 160, 200))


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(16, 24)
    column, gap, edge = size * dice.whole(15, 20), size * 2, size * 3
    pitch, small = round(size * dice.real(1.5, 1.65)), round(size * 0.85)
    width = 2 * column + gap + 2 * edge
    page = Page(width, size * 120, (255, 255, 255))
    page.margin = TIGHT_MARGIN
    ink = (20, 20, 22)
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(edge, edge, title, style.body, small, ink)
    page.text(width - edge, edge, str(dice.whole(2, 400)), style.body, small, ink, "right")
    rows = dice.whole(22, 32)
    with_figure, above = dice.whole(0, 1), dice.whole(0, 14)
    for n in range(2):
        x, y = edge + n * (column + gap), edge + size * 3
        taken = 0
        lines = []
        while taken < rows:
            if n == with_figure and taken >= above:
                above = rows  # one figure only
                height = pitch * dice.whole(5, 8)
                for line in lines:
                    page.text(x, y, line, style.body, size, ink)
                    y += pitch
                figure(page, dice, x, y, column, height)
                y += height + round(size * 1.4)
                caption = f"{FIGURE[language]} {dice.whole(1, 9)}: {text.short_sentence(dice, language)}"
                for line in wrap(caption, style.body, small, column - size // 2):
                    page.text(x, y, line, style.body, small, ink)
                    y += round(small * 1.5)
                y += pitch
                taken += height // pitch + 4
                lines = []
            paragraph = " ".join(text.sentence(dice, language) for _ in range(dice.whole(1, 4)))
            paragraph = wrap(paragraph, style.body, size, column - size // 2)[:max(1, rows - taken)]
            lines += paragraph
            taken += len(paragraph)
        for line in lines:
            page.text(x, y, line, style.body, size, ink)
            y += pitch
    bottom = edge + size * 3 + pitch * (rows + 11)
    page.text(width / 2, bottom, text.web(dice), style.body, small, ink, "center")
    return page.cut(bottom + edge)
