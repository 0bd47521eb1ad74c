"""Digits and punctuation: sums, measures, times, web addresses, brackets and quotes, in various type."""
import text
from draw import Page, fitting_size


def line(dice):
    a, b, c = dice.whole(2, 99), dice.whole(2, 99), dice.whole(100, 9999)
    return dice.pick((
        lambda: f"{a} + {b} = {a + b}", lambda: f"{a} × {b} = {a * b}", lambda: f"({a}.{b:02} - {b}.{a:02}) / {c} %",
        lambda: f"{a}:{b:02}:{c % 60:02}.{c % 1000:03}", lambda: f"[{a}, {b}, {c}]", lambda: f"{{{a}; {b}; {c}}}",
        lambda: f"\"{a}-{b}\" & '{c}'", lambda: f"{a},{c:04},{b:03}.{b:02}", lambda: f"+{a} {c} {b:02} {c % 97:02}",
        lambda: f"{c}x{c // 2} px @ {a}.{b} Hz", lambda: f"192.168.{a}.{b}:{c}", lambda: f"<{a}>_{c}*{b}?",
        lambda: f"{a}.{b:02} kg; {c} mm!", lambda: text.web(dice), lambda: text.phone(dice), lambda: text.serial(dice),
        lambda: f"¥{c}.{b:02} / ${a}.{b:02} / €{c}", lambda: f"{text.date(dice)} {text.time(dice)}"))()


def draw(dice):
    face = dice.pick(("dejavu_mono", "mono", "plain", "roman", "dejavu", "sans"))
    size = dice.whole(20, 44)
    width, edge = size * dice.whole(18, 22), round(size * 1.5)
    page = Page(width, size * 40, dice.pick(((255, 255, 255), (20, 24, 20), (236, 240, 246))))
    ink = (120, 240, 130) if sum(page.paper) < 100 else (20, 20, 30)
    y = edge + size
    for _ in range(dice.whole(7, 12)):
        words = line(dice)
        page.text(edge, y, words, face, fitting_size(words, face, size, width - 2 * edge), ink)
        y += round(size * 1.8)
    return page.cut(y - size * 1.8 + edge)
