"""A newspaper: one or two stories, each a headline over two or three columns that are read one after another."""
import text
from draw import TIGHT_MARGIN, Page, Style, fitting_size, wrap


def story(dice, language, style, size, column):
    """Lines of a story as (text, face, distance to the line above in type sizes)."""
    pitch = 1.5
    lines = []
    for paragraph in range(dice.whole(4, 7)):
        if paragraph and dice.chance(0.3):
            heading = text.short_sentence(dice, language)
            lines += [(line, style.bold, pitch + 0.4) for line in wrap(heading, style.bold, size, column - size // 2)]
        words = " ".join(text.sentence(dice, language) for _ in range(dice.whole(1, 3)))
        # Columns are set without space between paragraphs.
        lines += [(line, style.body, pitch) for line in wrap(words, style.body, size, column - size // 2)]
    return lines


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(16, 24)
    count = dice.whole(2, 3)
    column, gap, edge = size * dice.whole(13, 17), round(size * dice.real(1.6, 2.6)), size * 3
    width = count * column + (count - 1) * gap + 2 * edge
    page = Page(width, size * 160, dice.pick(((250, 248, 240), (238, 236, 230), (255, 255, 255))))
    page.margin = TIGHT_MARGIN
    ink = (26, 26, 26)
    small = round(size * 0.8)
    page.text(edge, edge, text.date(dice), style.body, small, ink)
    page.text(width - edge, edge, text.web(dice), style.body, small, ink, "right")
    y = edge + size
    page.pen.line((edge, y, width - edge, y), ink, 2)
    for _ in range(dice.whole(1, 2)):
        headline = text.sentence(dice, language)
        y += size * 3
        headline_size = fitting_size(headline, style.bold, round(size * 2.2), width - 2 * edge)
        page.text(edge, y, headline, style.bold, headline_size, ink)
        if dice.chance(0.5):
            y += round(size * 2)
            page.text(edge, y, text.short_sentence(dice, language), style.body, round(size * 1.2), ink)
        lines = story(dice, language, style, size, column)
        share = -(-len(lines) // count)
        top = y + round(size * 2.4)
        bottom = top
        for n in range(count):
            y = top
            for line, (words, face, distance) in enumerate(lines[n * share:(n + 1) * share]):
                y += round(size * distance) if line else 0
                page.text(edge + n * (column + gap), y, words, face, size, ink)
            bottom = max(bottom, y)
        y = bottom
    y += size * 3
    page.text(width / 2, y, f"- {dice.whole(2, 60)} -", style.body, small, ink, "center")
    return page.cut(y + edge)
