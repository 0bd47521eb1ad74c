#!/usr/bin/env python3
"""Tries an installed package where nothing but numpy is: python -I try_wheel.py IMAGE

Reads the image with the tiny models, from its file and from an array, and prints its text. Fetches the models if they
are missing.
"""
import importlib.util
import pathlib
import sys

import numpy

import inkread

if importlib.util.find_spec("PIL") is not None:
    sys.exit("this environment has Pillow; expected one with numpy only")
image = pathlib.Path(sys.argv[1])
engine = inkread.Engine("tiny", backend="cpu")
reading = engine.read(image)
from_bytes = engine.read(image.read_bytes())
white = engine.read(numpy.full((50, 100, 3), 255, numpy.uint8))
print(reading.text)
if not reading.lines or from_bytes.lines != reading.lines or white.lines or reading._repr_png_() is not None:
    sys.exit("not what was expected")
print(f"inkread {inkread.version()}, Python {sys.version.split()[0]}, {inkread.__file__}")
