"""A shop's receipt: header, goods with prices at the right edge, total, footer."""
import text
from draw import Page, Style, fitting_size


def draw(dice):
    language = text.language(dice)
    style = Style.pick(dice, language)
    size = dice.whole(18, 34)
    width, edge, pitch = size * dice.whole(19, 24), size * 2, round(size * dice.real(1.7, 2.1))
    page = Page(width, size * 80, dice.pick(((252, 251, 246), (245, 244, 240), (255, 255, 255), (248, 240, 226))))
    ink = dice.pick(((30, 28, 34), (56, 52, 74), (70, 70, 70)))
    inside = width - 2 * edge

    def rule(y):
        page.pen.line((edge, y, width - edge, y), ink, max(1, size // 14))

    shop = text.either(dice, language, text.SHOPS_ZH, text.SHOPS_EN)
    y = edge + size
    shop_size = fitting_size(shop, style.bold, round(size * 1.7), inside)
    page.text(width / 2, y, shop, style.bold, shop_size, ink, "center")
    where = text.address(dice, language)
    where_size = fitting_size(where, style.body, round(size * 0.9), inside)
    y += pitch + size // 2
    page.text(width / 2, y, where, style.body, where_size, ink, "center")
    y += pitch
    page.text(edge, y, text.date(dice), style.body, size, ink)
    page.text(width - edge, y, text.time(dice), style.body, size, ink, "right")
    y += round(pitch * 0.6)
    rule(y)
    total = 0
    for _ in range(dice.whole(3, 7)):
        item, cents = text.either(dice, language, text.ITEMS_ZH, text.ITEMS_EN), dice.whole(99, 19999)
        total += cents
        y += pitch
        page.text(edge, y, item, style.body, size, ink)
        page.text(width - edge, y, f"{cents / 100:.2f}", style.body, size, ink, "right")
    y += round(pitch * 0.6)
    rule(y)
    big = round(size * 1.25)
    y += round(pitch * 1.2)
    page.text(edge, y, {"zh": "合计", "en": "TOTAL", "mixed": "合计 Total"}[language], style.bold, big, ink)
    page.text(width - edge, y, f"¥{total / 100:.2f}", style.bold, big, ink, "right")
    y += round(pitch * 1.4)
    thanks = "Thank you, see you again!" if language == "en" else "谢谢光临，欢迎再来！"
    page.text(width / 2, y, thanks, style.body, size, ink, "center")
    page.text(width / 2, y + pitch, text.serial(dice), style.body, size, ink, "center")
    return page.cut(y + pitch + edge)
