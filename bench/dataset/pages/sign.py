"""A sign on a wall: a few large words, often in two languages, on a coloured plate."""
import text
from draw import Page, Style, fitting_size

# Colours of plate and letters.
COLOURS = (((20, 80, 170), (255, 255, 255)), ((0, 110, 70), (255, 255, 255)), ((245, 205, 40), (30, 30, 30)),
           ((200, 40, 40), (255, 255, 255)), ((240, 240, 236), (40, 40, 44)), ((60, 60, 66), (240, 220, 160)))


def draw(dice):
    plate, ink = dice.pick(COLOURS)
    width, height = dice.whole(500, 1300), dice.whole(360, 900)
    page = Page(width, height, dice.pick(((150, 144, 136), (186, 180, 170), (112, 118, 126), (172, 160, 140))))
    # Rows of bricks, so that the background has more than one colour.
    course = dice.whole(24, 50)
    joint = tuple(value - 16 for value in page.paper)
    for y in range(0, height, course):
        page.pen.line((0, y, width, y), joint, 2)
        for x in range(course if y // course % 2 else 0, width, course * 2):
            page.pen.line((x, y, x, y + course), joint, 2)
    edge = round(min(width, height) * 0.1)
    page.pen.rounded_rectangle((edge, edge, width - edge, height - edge), edge // 3, plate, ink, max(2, edge // 8))

    style = Style.pick(dice, "mixed")
    inside, tall = width - edge * 4, height - edge * 3
    n = dice.whole(0, len(text.SIGNS_ZH) - 1)
    rows = [(text.SIGNS_ZH[n], 0.34), (text.SIGNS_EN[n], 0.17)]
    if dice.chance(0.4):
        rows = rows[:1] if dice.chance(0.5) else rows[1:]
    if dice.chance(0.5):
        hours = f"{text.time(dice)} - {text.time(dice)}"
        rows.append((dice.pick((text.phone(dice), hours, f"{dice.whole(50, 900)} m")), 0.12))
    sizes = [fitting_size(words, style.bold, round(tall * share), inside) for words, share in rows]
    y = (height - sum(sizes) * 1.6) / 2
    for (words, _), size in zip(rows, sizes):
        y += size * 1.1
        page.text(width / 2, y, words, style.bold, size, ink, "center")
        y += size * 0.5
    return page
