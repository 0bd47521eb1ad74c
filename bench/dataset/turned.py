#!/usr/bin/env python3
"""Reads the pages of the data set turned and askew: turned.py INKREAD [--dataset DIR] [--size SIZE] [--angles DEG ...]

Prints a table with a row for each angle, in degrees clockwise; the first is 0, the pages as they are:
  pages    how many were read. An angle that is no multiple of 90 takes only pages that were drawn straight
  turned   pages whose angle was found, to within 1 degree
  exact    lines of the truth that were read without a fault
  order    pages whose lines come in the same order as those of the page before it was turned
  ms       CPU time for each page, with one thread; includes decoding and an equal share of the start
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import pins

pins.require()
import degrade  # noqa: E402
import result  # noqa: E402
from draw import Line  # noqa: E402
from PIL import Image  # noqa: E402

ANGLES = (90, 180, 270, -5, -3, -2, 2, 3, 5)
TRANSPOSE = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
BACKGROUND = (180, 172, 160)


def turn(image, quads, degrees):
    """The image turned clockwise, and the quads in it; a multiple of 90 moves pixels and changes none."""
    if degrees not in TRANSPOSE:
        image, lines = degrade.turn(image, [Line("", quad) for quad in quads], degrees, BACKGROUND)
        return image, [line.quad for line in lines]
    width, height = image.size
    moved = {90: lambda x, y: (height - y, x), 180: lambda x, y: (width - x, height - y),
             270: lambda x, y: (y, width - x)}[degrees]
    return image.transpose(TRANSPOSE[degrees]), [[moved(x, y) for x, y in quad] for quad in quads]


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def read(command, files):
    """(file name without its ending -> the entry of the command's JSON, CPU time for each file in ms)"""
    before = cpu_seconds()
    document = json.loads(subprocess.run([*command, "--json", *files], stdout=subprocess.PIPE, check=True).stdout)
    ms = 1e3 * (cpu_seconds() - before) / len(files)
    return {pathlib.Path(entry["file"]).stem: entry for entry in document["images"]}, ms


def order(found, truth):
    """The truth lines to which the found lines belong, in the order of the found lines."""
    indices = []
    for line in found:
        shares = [result.intersection_over_union(line["quad"], t["quad"]) for t in truth]
        best = max(range(len(truth)), key=shares.__getitem__)
        if shares[best] >= result.MATCH_IOU:
            indices.append(best)
    return indices


def same_order(first, second):
    common = set(first) & set(second)
    return [i for i in first if i in common] == [i for i in second if i in common]


def row(degrees, pages, upright, command, dataset):
    """The table's row; `pages` are entries of truth.json, `upright` is what was read of them as they are."""
    original = {pathlib.Path(page["file"]).stem: page["lines"] for page in pages}
    truths, files = dict(original), [str(dataset / page["file"]) for page in pages]
    with tempfile.TemporaryDirectory(prefix="inkread_turned_") as folder:
        for i, page in enumerate(pages if degrees else ()):
            stem = pathlib.Path(page["file"]).stem
            quads = [line["quad"] for line in page["lines"]]
            image, quads = turn(Image.open(files[i]).convert("RGB"), quads, degrees)
            files[i] = f"{folder}/{stem}.bmp"
            image.save(files[i])
            truths[stem] = [{"text": line["text"], "quad": quad} for line, quad in zip(page["lines"], quads)]
        found, ms = read(command, files)
    num_turned = num_exact = num_ordered = 0
    for page in pages:
        stem = pathlib.Path(page["file"]).stem
        error = (found[stem]["turned"] - page["turned_deg"] - degrees + 180) % 360 - 180
        num_turned += abs(error) <= 1
        num_exact += result.score_image(found[stem]["lines"], truths[stem])["raw"][0]
        num_ordered += same_order(order(found[stem]["lines"], truths[stem]),
                                  order(upright[stem]["lines"], original[stem]))
    num_lines = sum(map(len, truths.values()))
    return f"| {degrees} | {len(pages)} | {num_turned} | {num_exact} of {num_lines} | {num_ordered} | {ms:.0f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inkread", metavar="INKREAD")
    parser.add_argument("--dataset", type=pathlib.Path, default=HERE.parent.parent / "build" / "dataset", metavar="DIR")
    parser.add_argument("--size", default="small")
    parser.add_argument("--angles", type=int, nargs="+", default=ANGLES, metavar="DEG")
    options = parser.parse_args()
    command = [options.inkread, "read", "--size", options.size, "--threads", "1"]
    pages = json.loads((options.dataset / "truth.json").read_text(encoding="utf-8"))["images"]
    straight = [page for page in pages if page["turned_deg"] == 0]
    upright, _ = read(command, [str(options.dataset / page["file"]) for page in pages])
    print("| degrees | pages | turned | exact | order | ms |\n| ---: | ---: | ---: | ---: | ---: | ---: |")
    for some, is_quarter in ((pages, True), (straight, False)):
        for degrees in (0, *(degrees for degrees in options.angles if (degrees in TRANSPOSE) == is_quarter)):
            print(row(degrees, some, upright, command, options.dataset), flush=True)


if __name__ == "__main__":
    main()
