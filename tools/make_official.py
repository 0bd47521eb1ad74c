#!/usr/bin/env python3
"""Writes samples/NAME.official.json for every sample: the result of the official pipeline (tests/oracle/reference.py).

    make_official.py [MODELS]

MODELS  folder of the models of all sizes; default: the one that `inkread models path` prints

Needs the Python packages of tests/oracle/requirements.txt and the models of tiny and small. Each line is
recognised alone, without padding to the width of other lines, as `inkread read --official` does.
"""
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

import cv2  # noqa: E402
import reference  # noqa: E402


def settings(folder):
    rows = [line.split(" ") for line in (folder / "settings.txt").read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1] for row in rows}


def official_lines(image, folder):
    det, rec = (reference.open_model(str(folder / name)) for name in ("det.onnx", "rec.onnx"))
    charset = ["<blank>"] + (folder / "dictionary.txt").read_text(encoding="utf-8").split("\n")[:-1] + [" "]
    params = dict(reference.PROFILES["pipeline"], max_candidates=int(settings(folder)["det_max_candidates"]))
    bgr = cv2.imread(str(image), cv2.IMREAD_COLOR)
    boxes = reference.boxes_from_map(det(reference.det_input(bgr, params))[0, 0], *bgr.shape[:2], params)
    lines = []
    for box, det_score in reference.reading_order(boxes):
        [(text, score)] = reference.recognise([reference.crop_line(bgr, box)], rec, charset)
        lines.append({"text": text, "score": round(score, 6), "det_score": round(det_score, 6), "quad": box})
    return lines


def main():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    models = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                          os.environ.get("INKREAD_MODELS") or os.path.join(cache, "inkread", "models"))
    for image in sorted((ROOT / "samples").glob("*.png")):
        found = {size: official_lines(image, models / size) for size in ("tiny", "small")}
        # One line of JSON per line of text, so that a diff is readable.
        sizes = [
            f"  {json.dumps(size)}: [\n"
            + ",\n".join("    " + json.dumps(line, ensure_ascii=False) for line in lines)
            + "\n  ]"
            for size, lines in found.items()
        ]
        target = image.with_suffix(".official.json")
        target.write_text("{\n" + ",\n".join(sizes) + "\n}\n", encoding="utf-8")
        print(f"{target}: {', '.join(f'{len(lines)} lines by {size}' for size, lines in found.items())}")


if __name__ == "__main__":
    main()
