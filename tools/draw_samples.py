#!/usr/bin/env python3
"""Draws the images of samples/: draw_samples.py [NAME ...]

NAME    receipt, vertical, screen or columns; default: all of them

Needs Pillow and the Debian packages fonts-noto-cjk and fonts-dejavu-core. All texts were written for this
project. The same Pillow and fonts give the same images.
"""
import pathlib
import random
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
CJK_BOLD = "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"
SIMPLIFIED_CHINESE = 2  # index of the face in the collection
MONO = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
SANS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

INK = (42, 40, 48)
PAPER = (250, 248, 242)
TABLE = (122, 96, 74)


def cjk(size, bold=False):
    return ImageFont.truetype(CJK_BOLD if bold else CJK, size, index=SIMPLIFIED_CHINESE)


def draw_receipt():
    """A paper receipt on a table, slightly rotated."""
    mono = ImageFont.truetype(MONO, 22)
    paper = Image.new("RGB", (480, 640), PAPER)
    pen = ImageDraw.Draw(paper)
    pen.text((240, 50), "墨读书店", INK, cjk(42, bold=True), anchor="mm")
    pen.text((240, 96), "INKREAD BOOKSHOP", INK, ImageFont.truetype(MONO, 24), anchor="mm")
    pen.text((40, 138), "日期 2026-11-30", INK, cjk(22))
    pen.text((440, 144), "14:05", INK, mono, anchor="ra")
    pen.line((40, 184, 440, 184), INK, 2)
    for row, (name, count, price) in enumerate((("笔记本", 2, "24.00"), ("Fountain pen", 1, "89.50"),
                                                ("蓝色墨水", 3, "56.70"), ("Letter paper", 1, "18.80"))):
        y = 206 + 48 * row
        pen.text((40, y), name, INK, cjk(24))
        pen.text((310, y), f"{count} pcs", INK, cjk(22), anchor="ra")
        pen.text((440, y + 6), price, INK, mono, anchor="ra")
    pen.line((40, 406, 440, 406), INK, 2)
    pen.text((40, 424), "合计 Total", INK, cjk(28, bold=True))
    pen.text((440, 430), "¥189.00", INK, ImageFont.truetype(MONO, 28), anchor="ra")
    pen.text((240, 524), "谢谢光临，欢迎再来！", INK, cjk(24), anchor="mm")
    pen.text((240, 574), "No. 0071-3392-58", INK, mono, anchor="mm")

    scene = Image.new("RGB", (640, 800), TABLE)
    turned = paper.convert("RGBA").rotate(0.8, Image.Resampling.BICUBIC, expand=True)
    shadow = Image.new("RGBA", turned.size, (30, 20, 12, 255))
    shadow.putalpha(turned.getchannel("A").point(lambda a: a * 110 // 255))
    at = ((640 - turned.width) // 2, (800 - turned.height) // 2)
    scene.paste(shadow, (at[0] + 8, at[1] + 8), shadow)
    scene = scene.filter(ImageFilter.GaussianBlur(5))
    scene.paste(turned, at, turned)
    return scene


def with_grain(image, seed, depth):
    """Adds noise of up to +-`depth`, the same in every channel, like the noise of a scan."""
    noise = random.Random(seed)
    width, height = image.size
    grain = Image.new("L", image.size)
    grain.putdata([noise.randrange(2 * depth + 1) for _ in range(width * height)])
    return ImageChops.add(image, Image.merge("RGB", [grain] * 3), offset=-depth)


def draw_vertical():
    """Three vertical columns, read from right to left, as on a scroll."""
    scroll = Image.new("RGB", (300, 420), (238, 226, 200))
    pen = ImageDraw.Draw(scroll)
    pen.rectangle((14, 14, 285, 405), outline=(150, 40, 34), width=2)
    for x, text, size in ((232, "墨香满室读书声", 44), (152, "字里行间见山水", 36), (76, "二零二六年冬", 30)):
        for row, character in enumerate(text):
            pen.text((x, 58 + row * (size + 6)), character, INK, cjk(size), anchor="mm")
    return with_grain(scroll, 3, 2)


def draw_screen():
    """Light text on a black screen."""
    screen = Image.new("RGB", (640, 300), (12, 12, 16))
    pen = ImageDraw.Draw(screen)
    mono = ImageFont.truetype(MONO, 20)
    for row, (text, ink) in enumerate((("$ inkread read notes.png --json", (120, 220, 120)),
                                       ("lines: 12  dropped: 0", (235, 235, 235)),
                                       ("WARNING: image is 31 px high", (240, 200, 90)),
                                       ("total 48.5 ms on cpu", (235, 235, 235)))):
        pen.text((24, 24 + 44 * row), text, ink, mono)
    pen.text((24, 212), "全部完成，没有错误", (110, 180, 250), cjk(24))
    pen.rectangle((24, 262, 36, 284), fill=(235, 235, 235))
    return screen


def draw_columns():
    """Two columns of small print below a heading."""
    page = Image.new("RGB", (720, 440), (252, 252, 250))
    pen = ImageDraw.Draw(page)
    pen.text((360, 44), "Notes on Reading Machines", INK, ImageFont.truetype(SANS, 30), anchor="mm")
    small = ImageFont.truetype(SANS, 17)
    columns = (("A page is first searched for", "lines. Each line is cut out and", "made upright, then a second",
                "network reads it from left to", "right, one narrow strip at a", "time, and says how sure it is."),
               ("Ink on paper is not black, nor", "is paper white: 85% of all", "scans are darker than they",
                "look (see p. 27). A good reader", "must not care; it should give", "the same answer every time."))
    for column, lines in enumerate(columns):
        for row, text in enumerate(lines):
            pen.text((44 + 350 * column, 96 + 48 * row), text, INK, small)
    pen.line((360, 92, 360, 384), (190, 190, 190), 1)
    return page.filter(ImageFilter.GaussianBlur(0.6))


DRAWINGS = {"receipt": draw_receipt, "vertical": draw_vertical, "screen": draw_screen, "columns": draw_columns}
COLOURS = {"receipt": 96, "vertical": 12}  # number of palette colours, to keep the file small; 48 for the others


if __name__ == "__main__":
    SAMPLES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or DRAWINGS:
        file = SAMPLES / f"{name}.png"
        DRAWINGS[name]().quantize(COLOURS.get(name, 48), dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file}: {file.stat().st_size} bytes")
