"""What happens to a page on its way to a file: turned, blurred, noisy."""
import math

import numpy
from PIL import Image, ImageFilter

from draw import Line


def turn(image, lines, degrees, ground):
    """The image turned clockwise on a ground large enough for it, and its lines turned with it."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    width, height = image.size
    new_width = math.ceil(width * cos + height * abs(sin))
    new_height = math.ceil(width * abs(sin) + height * cos)
    cx, cy, new_cx, new_cy = width / 2, height / 2, new_width / 2, new_height / 2
    back = (cos, sin, cx - cos * new_cx - sin * new_cy, -sin, cos, cy + sin * new_cx - cos * new_cy)
    turned = image.transform((new_width, new_height), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC,
                             fillcolor=ground)

    def moved(x, y):
        return new_cx + cos * (x - cx) - sin * (y - cy), new_cy + sin * (x - cx) + cos * (y - cy)

    return turned, [Line(line.text, [moved(x, y) for x, y in line.quad]) for line in lines]


def blur(image, radius_px):
    return image.filter(ImageFilter.GaussianBlur(radius_px))


def add_noise(image, strength, seed):
    """Adds to each value a sum of four whole numbers of -strength..strength: nearly normal, yet exact."""
    pixels = numpy.asarray(image).astype(numpy.int16)
    bits = numpy.random.Generator(numpy.random.PCG64(seed))
    noise = bits.integers(-strength, strength, (4, *pixels.shape), numpy.int16, endpoint=True).sum(0, numpy.int16)
    return Image.fromarray((pixels + noise).clip(0, 255).astype(numpy.uint8))
