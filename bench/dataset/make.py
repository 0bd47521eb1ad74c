#!/usr/bin/env python3
"""Draws images with known text for benchmarks:
make.py [--out DIR] [--count N] [--seed N] [--kind NAME] [--turn DEG] [--any-fonts]

Writes 001_receipt.png, 002_form.jpg and so on, and truth.json:
  {"schema": 1, "seed", "count", "versions": {"pillow", "numpy", "freetype", "libjpeg_turbo"},
   "fonts": [{"file", "package", "sha256"}],
   "images": [{"file", "kind", "width", "height", "turned_deg", "blur_px", "noise", "jpeg_quality" (0: PNG),
               "lines": [{"text", "quad": [[x, y] * 4], "words": [{"text", "quad"}]}]}]}
Lines are in reading order. A quad is in px, clockwise from the text's own top left: a line's slightly outside the ink,
a word's around it. Words end at spaces; of Han and kana each character is a word. An image depends only on --kind, the
seed and its number, so a smaller count gives the first images of a larger one. The same seed gives the same bytes; on
another processor architecture PNG files may be compressed differently.
"""
import argparse
import hashlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

import pins

pins.require()
import degrade  # noqa: E402
import fonts  # noqa: E402
import numpy  # noqa: E402
import PIL  # noqa: E402
from dice import Dice  # noqa: E402
from pages import CHOICES, KINDS  # noqa: E402
from PIL import features  # noqa: E402

JPEG_QUALITY = 80
BACKGROUNDS = ((122, 96, 74), (70, 74, 82), (180, 172, 160), (40, 52, 48))


def rounded(quad):
    return [[round(x, 1), round(y, 1)] for x, y in quad]


def make_image(seed, number, kinds=KINDS, turn=0):
    """Returns (image, its entry of truth.json); writes nothing. `turn`: degrees clockwise, besides the page's own."""
    dice = Dice(seed, number)
    kind = list(kinds)[(number - 1) % len(kinds)]
    page = kinds[kind](dice)
    image, lines = page.image, page.lines
    turned_deg, blur_px, noise = 0, 0, 0
    if not page.on_screen and page.max_turn_deg and (dice.chance(0.45) or page.is_always_turned):
        turned_deg = round(dice.real(0.3, page.max_turn_deg), 1) * dice.pick((-1, 1))
        image, lines = degrade.turn(image, lines, turned_deg, dice.pick(BACKGROUNDS))
    if dice.chance(0.3):
        # A fraction of the smallest type size, so that the text stays readable.
        blur_px = round(dice.real(0.02, 0.05) * page.smallest_size, 2)
        image = degrade.blur(image, blur_px)
    if not page.on_screen and dice.chance(0.35):
        noise = dice.whole(3, 9)
        image = degrade.add_noise(image, noise, [seed, number])
    if turn:
        image, lines = degrade.turn(image, lines, turn, BACKGROUNDS[0])
        turned_deg += turn
    # Noise compresses badly as PNG.
    jpeg_quality = JPEG_QUALITY if noise or dice.chance(0.3) else 0
    entry = {"file": f"{number:03}_{kind}.{'jpg' if jpeg_quality else 'png'}", "kind": kind,
             "width": image.width, "height": image.height,
             "turned_deg": turned_deg, "blur_px": blur_px, "noise": noise, "jpeg_quality": jpeg_quality,
             "lines": [{"text": line.text, "quad": rounded(line.quad),
                        "words": [{"text": word.text, "quad": rounded(word.quad)} for word in line.words]}
                       for line in lines]}
    return image, entry


def make(out, count, seed, font_hashes, kind=None, turn=0):
    """Writes `count` images and truth.json to the folder `out` and removes those of an earlier run.

    The images are of the kinds of CHOICES[kind] in turn, or of KINDS. Returns (number of lines, SHA-256 over all files).
    """
    out.mkdir(parents=True, exist_ok=True)
    if (out / "truth.json").exists():
        for entry in json.loads((out / "truth.json").read_text(encoding="utf-8"))["images"]:
            (out / entry["file"]).unlink(missing_ok=True)
    digest = hashlib.sha256()
    entries = []
    for number in range(1, count + 1):
        image, entry = make_image(seed, number, CHOICES[kind] if kind else KINDS, turn)
        path = out / entry["file"]
        if entry["jpeg_quality"]:
            image.save(path, quality=entry["jpeg_quality"], subsampling="4:2:0")
        else:
            image.save(path, compress_level=6)
        digest.update(path.read_bytes())
        entries.append(entry)
    truth = {"schema": 1, "seed": seed, "count": count,
             "versions": {"pillow": PIL.__version__, "numpy": numpy.__version__,
                          "freetype": features.version("freetype2"),
                          "libjpeg_turbo": features.version("libjpeg_turbo")},
             "fonts": [{"file": file, "package": fonts.FILES[file][0], "sha256": sha256}
                       for file, sha256 in font_hashes.items()],
             "images": entries}
    text = json.dumps(truth, ensure_ascii=False, indent=1) + "\n"
    digest.update(text.encode())
    (out / "truth.json").write_text(text, encoding="utf-8")
    return sum(len(entry["lines"]) for entry in entries), digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent.parent / "build" / "dataset", metavar="DIR")
    parser.add_argument("--count", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--turn", type=float, default=0, metavar="DEG", help="turn every page clockwise by so much")
    parser.add_argument("--kind", choices=CHOICES, metavar="NAME",
                        help="one of " + ", ".join(CHOICES) + f" (default: the first {len(KINDS)} in turn)")
    parser.add_argument("--any-fonts", action="store_true", help="accept other versions of the fonts")
    options = parser.parse_args()
    if options.count < 1:
        parser.error(f"argument --count: expected 1 or more, got {options.count}")
    font_hashes, complaints = fonts.check()
    missing = [file for file in fonts.FILES if file not in font_hashes]
    if complaints and (missing or not options.any_fonts):
        sys.exit("make.py: " + "\nmake.py: ".join(complaints) +
                 ("" if missing else "\nmake.py: other fonts give other images; --any-fonts accepts them"))
    num_lines, digest = make(options.out, options.count, options.seed, font_hashes, options.kind, options.turn)
    print(f"{options.out}: {options.count} images, {num_lines} lines, truth.json; SHA-256 of all: {digest}")


if __name__ == "__main__":
    main()
