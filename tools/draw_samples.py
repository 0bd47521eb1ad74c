#!/usr/bin/env python3
"""Draws the pictures of samples/: draw_samples.py

Needs Pillow and the Debian packages fonts-noto-cjk and fonts-dejavu-core. All text is the project's own. The same Pillow
and fonts give the same picture.
"""
import pathlib

from PIL import Image, ImageDraw, ImageFilter, ImageFont

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
CJK_BOLD = "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"
SIMPLIFIED_CHINESE = 2  # face of the collection
MONO = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"

INK = (42, 40, 48)
PAPER = (250, 248, 242)
TABLE = (122, 96, 74)


def cjk(size, bold=False):
    return ImageFont.truetype(CJK_BOLD if bold else CJK, size, index=SIMPLIFIED_CHINESE)


def draw_receipt():
    """A paper receipt, a little askew on a table."""
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
    # A palette keeps the file small.
    scene.quantize(96, dither=Image.Dither.NONE).save(SAMPLES / "receipt.png", optimize=True)


if __name__ == "__main__":
    SAMPLES.mkdir(exist_ok=True)
    draw_receipt()
    print(f"{SAMPLES / 'receipt.png'}: {(SAMPLES / 'receipt.png').stat().st_size} bytes")
