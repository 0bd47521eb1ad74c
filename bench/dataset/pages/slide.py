"""A slide: a coloured background, a large title, points with a bar beside each, a page number."""
import text
from draw import Page, Style, wrap

# Colours of paper, title, points and accent.
COLOURS = (((255, 255, 255), (30, 60, 130), (50, 50, 60), (90, 140, 220)),
           ((24, 34, 56), (255, 255, 255), (214, 222, 236), (240, 170, 60)),
           ((240, 244, 238), (30, 90, 60), (40, 50, 44), (110, 180, 120)),
           ((120, 30, 44), (255, 244, 220), (250, 226, 210), (230, 180, 90)))


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    width, height = dice.pick(((1280, 720), (960, 720), (1600, 900), (1024, 576)))
    paper, title_ink, ink, accent = dice.pick(COLOURS)
    page = Page(width, height, paper)
    page.on_screen = True
    unit = height // 18
    title = text.either(dice, language, text.TITLES_ZH, text.TITLES_EN)
    page.text(unit * 2, unit * 3, title, style.bold, round(unit * 1.6), title_ink)
    page.pen.rectangle((unit * 2, unit * 4, unit * 8, unit * 4 + unit // 6), accent)
    size, y = round(unit * dice.real(0.8, 1.0)), unit * 6
    for _ in range(dice.whole(3, 5)):
        point = text.sentence(dice, language) if dice.chance(0.5) else text.short_sentence(dice, language)
        lines = wrap(point, style.body, size, width - unit * 6)
        if y + round(size * 1.6) * len(lines) > height - unit * 2:
            break
        bar_end = y + round(size * 1.6) * len(lines) - size
        page.pen.rectangle((unit * 2, y - size, unit * 2 + unit // 6, bar_end), accent)
        for line in lines:
            page.text(unit * 3, y, line, style.body, size, ink)
            y += round(size * 1.6)
        y += size // 2
    foot, small = height - unit * 0.8, round(unit * 0.6)
    page.text(unit * 2, foot, text.web(dice), style.body, small, ink)
    page.text(width - unit * 2, foot, f"{dice.whole(2, 20)} / {dice.whole(21, 60)}", style.body, small, ink, "right")
    return page
