"""A program's window: title bar, menu, a side list, a message with buttons, a status line; light or dark."""
import text
from draw import Page, Style


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language if language != "zh" else "mixed")
    size = dice.whole(15, 26)
    width, height = size * dice.whole(48, 64), size * dice.whole(27, 36)
    dark = dice.chance(0.5)
    paper, ink, bar, side = (((30, 31, 34), (220, 222, 226), (46, 48, 52), (38, 40, 44)) if dark else
                             ((255, 255, 255), (32, 33, 36), (228, 232, 238), (244, 245, 247)))
    accent = dice.pick(((26, 115, 232), (20, 140, 90), (170, 60, 150)))
    page = Page(width, height, paper)
    page.on_screen = True
    words = "en" if language == "en" else "zh"

    page.pen.rectangle((0, 0, width, size * 2), bar)
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    title += f" - {dice.pick('vV')}{dice.whole(1, 9)}.{dice.whole(0, 20)}"
    page.text(size, size * 1.4, title, style.bold, size, ink)
    # Window buttons are bars, because discs resemble characters.
    for n, colour in enumerate(((232, 90, 80), (240, 180, 60), (90, 190, 90))):
        x = width - size * (4 + 3 * n)
        page.pen.rectangle((x, size * 0.9, x + size * 2, size * 1.1), colour)
    x = size
    for item in dice.several(text.MENUS_EN if words == "en" else text.MENUS_ZH, 5):
        x = page.text(x, size * 3.6, item, style.body, size, ink) + size * 2.2
    page.pen.rectangle((0, size * 4.6, size * 13, height - size * 2), side)
    names = dice.several(text.ITEMS_EN if words == "en" else text.ITEMS_ZH, dice.whole(5, 8))
    chosen = dice.whole(0, len(names) - 1)
    for n, name in enumerate(names):
        y = size * (6.6 + 2.1 * n)
        if n == chosen:
            page.pen.rectangle((0, y - size * 1.4, size * 13, y + size * 0.6), accent)
        page.text(size * 1.2, y, name, style.body, size, (255, 255, 255) if n == chosen else ink)

    left = size * 15
    available = width - left - size * 2
    heading = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(left, size * 7, heading, style.bold, round(size * 1.4), ink)
    y = page.paragraph(left, size * 9.6, text.sentence(dice, language), style.body, size, available, ink)
    y = page.paragraph(left, y, text.sentence(dice, language), style.body, size, available, ink) + size * 1.4
    x = left
    for n, name in enumerate(dice.several(text.BUTTONS_EN if words == "en" else text.BUTTONS_ZH, 2)):
        page.pen.rounded_rectangle((x, y - size * 1.6, x + size * 7, y + size * 0.9), size // 3, bar if n else accent)
        page.text(x + size * 3.5, y, name, style.body, size, ink if n else (255, 255, 255), "center")
        x += size * 9
    page.pen.rectangle((0, height - size * 2, width, height), bar)
    page.text(size, height - size * 0.7, f"{dice.whole(2, 900)} / {dice.whole(901, 9999)}", style.body, size, ink)
    page.text(width - size, height - size * 0.7, f"{text.date(dice)} {text.time(dice)}", style.body, size, ink, "right")
    return page
