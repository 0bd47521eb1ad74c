"""A sheet of A4 scanned at 150 to 300 dots per inch: a letter of 8 to 12 points."""
import text
from draw import Page, Style


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    dpi = dice.pick((150, 200, 240, 300))
    width, height = round(8.27 * dpi), round(11.69 * dpi)
    size = round(dice.whole(8, 12) * dpi / 72)
    page = Page(width, height, dice.pick(((255, 255, 255), (250, 250, 246))))
    page.max_turn_deg = 0
    ink = (20, 20, 24)
    edge, pitch = dpi, round(size * 1.7)
    y = edge + size
    page.text(width - edge, y, text.date(dice), style.body, size, ink, "right")
    page.text(edge, y, text.either(dice, language, text.SHOPS_ZH, text.SHOPS_EN), style.bold, size, ink)
    y += 3 * pitch
    while y < height - 4 * dpi:
        words = " ".join(text.sentence(dice, language) for _ in range(dice.whole(2, 4)))
        y = page.paragraph(edge, y, words, style.body, size, width - 2 * edge, ink, pitch=1.7) + pitch
    page.text(width / 2, height - edge // 2, f"- {dice.whole(2, 40)} -", style.body, round(size * 0.8), ink, "center")
    return page
