"""Degrades a page: rotation, blur, noise."""
import math

import numpy
from PIL import Image, ImageFilter

from draw import Line, Word


def turn(image, lines, degrees, background):
    """Rotates the image clockwise on a background large enough for it; returns (image, rotated lines)."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    width, height = image.size
    new_width = math.ceil(width * abs(cos) + height * abs(sin))
    new_height = math.ceil(width * abs(sin) + height * abs(cos))
    cx, cy, new_cx, new_cy = width / 2, height / 2, new_width / 2, new_height / 2
    back = (cos, sin, cx - cos * new_cx - sin * new_cy, -sin, cos, cy + sin * new_cx - cos * new_cy)
    turned = image.transform((new_width, new_height), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC,
                             fillcolor=background)

    def moved(x, y):
        return new_cx + cos * (x - cx) - sin * (y - cy), new_cy + sin * (x - cx) + cos * (y - cy)

    def moved_quad(quad):
        return [moved(x, y) for x, y in quad]

    return turned, [Line(line.text, moved_quad(line.quad), [Word(w.text, moved_quad(w.quad)) for w in line.words])
                    for line in lines]


def blur(image, radius_px):
    return image.filter(ImageFilter.GaussianBlur(radius_px))


def add_noise(image, strength, seed):
    """Adds to each value the sum of four integers in -strength..strength: nearly normal, and reproducible."""
    pixels = numpy.asarray(image).astype(numpy.int16)
    bits = numpy.random.Generator(numpy.random.PCG64(seed))
    noise = bits.integers(-strength, strength, (4, *pixels.shape), numpy.int16, endpoint=True).sum(0, numpy.int16)
    return Image.fromarray((pixels + noise).clip(0, 255).astype(numpy.uint8))
