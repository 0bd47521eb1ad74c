"""A reading drawn onto its image, with Pillow."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import PIL.ImageOps

if TYPE_CHECKING:
    from inkread._results import Reading

_LINES = (220, 30, 30)
_WORDS = (30, 80, 220)


def open_image(source: Any, bgr: bool) -> PIL.Image.Image:
    """A copy of the image as RGB, upright as its EXIF data say where it is a file."""
    if isinstance(source, PIL.Image.Image):
        return source.convert("RGB")
    if isinstance(source, (str, os.PathLike)):
        with PIL.Image.open(source) as image:
            return PIL.ImageOps.exif_transpose(image).convert("RGB")
    if isinstance(source, (bytes, bytearray, memoryview)):
        with PIL.Image.open(io.BytesIO(source)) as image:
            return PIL.ImageOps.exif_transpose(image).convert("RGB")
    if source.ndim == 3 and source.shape[2] == 1:
        return PIL.Image.fromarray(source[:, :, 0]).convert("RGB")
    if source.ndim == 3:
        return PIL.Image.fromarray(source[:, :, [2, 1, 0]] if bgr else source[:, :, :3])
    return PIL.Image.fromarray(source).convert("RGB")


def draw(reading: Reading, source: Any, bgr: bool) -> PIL.Image.Image:
    image = open_image(source, bgr)
    pen = PIL.ImageDraw.Draw(image)
    width = max(1, round(max(image.size) / 800))
    font = PIL.ImageFont.load_default(size=max(10, max(image.size) // 70))
    for line in reading.lines:
        for word in line.words:
            pen.polygon(word.quad, outline=_WORDS, width=width)
    for number, line in enumerate(reading.lines, 1):
        pen.polygon(line.quad, outline=_LINES, width=width)
        place = (line.quad[0][0], max(0, line.quad[0][1] - 2))
        box = pen.textbbox(place, str(number), font=font, anchor="lb")
        pen.rectangle(box, fill=(255, 255, 255))
        pen.text(place, str(number), fill=_LINES, font=font, anchor="lb")
    return image
