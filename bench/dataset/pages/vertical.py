"""Japanese or Chinese written downwards, in columns from the right; on some pages in two tiers or below a headline."""
import text
from draw import Page
from pages.kana import DOINGS, PLACES, THINGS


def words(dice, language, count):
    """`count` characters that look the same in both directions."""
    written = ""
    while len(written) < count:
        if language == "ja":
            written += f"{dice.pick(PLACES)}に{dice.pick(THINGS)}{dice.pick(DOINGS[1:])}"
        else:
            written += text.short_sentence(dice, "zh")
    return written[:count]


def draw(dice):
    language = dice.pick(("ja", "zh"))
    face = dice.pick(("sans_ja", "serif_ja") if language == "ja" else ("sans", "serif", "kai"))
    bold = face if language == "ja" or face == "kai" else face + "_bold"
    size = dice.whole(24, 40)
    edge, pitch = size * 2, round(size * dice.real(1.7, 2.2))
    tiers, columns, length = dice.whole(1, 2), dice.whole(4, 8), dice.whole(9, 15)
    height = round(size * 1.08 * length)
    width = edge * 2 + pitch * columns
    has_headline = dice.chance(0.4)
    page = Page(width, edge * 3 + size * 4 + tiers * (height + size * 2), dice.pick(((255, 253, 244), (255, 255, 255))))
    ink = (28, 24, 24)
    top = edge
    if has_headline:
        headline = words(dice, language, min(8, (width - 2 * edge) // (size * 2)))
        page.text(width / 2, top + size, headline, bold, round(size * 1.4), ink, "center")
        top += size * 3
    for tier in range(tiers):
        x = width - edge - pitch / 2
        title_first = tier == 0 and not has_headline and dice.chance(0.6)
        for n in range(columns):
            if title_first and n == 0:
                page.vertical_text(x, top, words(dice, language, dice.whole(4, 6)), bold, round(size * 1.3), ink)
            else:
                last = n == columns - 1
                count = dice.whole(3, length) if last or dice.chance(0.2) else length
                page.vertical_text(x, top, words(dice, language, count), face, size, ink)
            x -= pitch
        top += height + size * 2
    return page.cut(top + size)
