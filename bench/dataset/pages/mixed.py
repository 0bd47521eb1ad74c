"""A product's label: Chinese and English on one line, measures, a bar code without digits."""
import text
from draw import Page, Style, fitting_size


def draw(dice):
    style = Style.pick(dice, "mixed")
    size = dice.whole(22, 40)
    width, edge = size * dice.whole(20, 26), size * 2
    page = Page(width, size * 50, dice.pick(((255, 255, 255), (234, 244, 232), (255, 240, 214), (228, 238, 250))))
    ink = dice.pick(((24, 30, 26), (20, 40, 90), (90, 30, 20)))
    rows = [(f"{dice.pick(text.ITEMS_ZH)} {dice.pick(text.ITEMS_EN)}", 1.4)] + [(row, 1) for row in dice.several((
        f"净含量 Net weight: {dice.whole(50, 950)} g", f"规格 Size: {dice.whole(10, 99)} x {dice.whole(10, 99)} cm",
        f"型号 Model: {dice.pick('ABCDEK')}{dice.whole(100, 999)}-{dice.pick('XYZ')}", f"保质期 {dice.whole(6, 36)} months",
        f"电压 {dice.pick((110, 220, 230))} V, {dice.whole(5, 200)} W", f"批号 Lot {dice.whole(10000, 99999)}",
        f"产地 {dice.pick(text.DISTRICTS_ZH)} {dice.pick(text.TOWNS_EN)}",
        f"温度 Temperature: {dice.whole(2, 8)}-{dice.whole(12, 40)}℃",
        f"热线 Hotline {text.phone(dice)}", f"生产日期 Date: {text.date(dice)}",
        f"Wi-Fi 密码: {dice.whole(10000000, 99999999)}",
        f"第 {dice.whole(2, 9)} 步：按下 {dice.pick(text.BUTTONS_EN)} 键"), dice.whole(6, 9))]
    y = edge
    for words, scale in rows:
        face = style.bold if scale > 1 else style.body
        fitting = fitting_size(words, face, round(size * scale), width - 2 * edge)
        y += round(size * 1.8)
        page.text(edge, y, words, face, fitting, ink)
    x, y = edge, y + size
    while x < width - edge - size:
        bar = dice.whole(1, 4) * max(1, size // 12)
        page.pen.rectangle((x, y, x + bar, y + size * 2), ink)
        x += bar + dice.whole(1, 3) * max(1, size // 12)
    return page.cut(y + size * 2 + edge)
