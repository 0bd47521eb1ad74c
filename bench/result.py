#!/usr/bin/env python3
"""Result files of the benchmarks: load, save, validate, score against a truth, summarise. Standard library only.

    result.py FILE.json [...]    checks files and prints their summaries

result_format.md describes the format, which `inkread bench` writes too.
"""
import json
import math
import os
import re
import statistics
import sys
import unicodedata

SCHEMA = 2
MATCH_IOU = 0.5

NUMBER, COUNT, TEXT, LIST = (int, float), int, str, list
# Field -> type. A tuple with None: the field may be null. A name that ends in "?": the field is optional.
MACHINE = {"cpu": TEXT, "instruction_set": (TEXT, None), "gpu": (TEXT, None), "driver": (TEXT, None), "cores": COUNT,
           "memory_bytes": COUNT, "compiler": (TEXT, None), "commit": (TEXT, None)}
ENGINE = {"name": TEXT, "version": TEXT, "size": TEXT, "profile": (TEXT, None), "precision": TEXT, "backend": TEXT,
          "threads": COUNT, "workers": COUNT, "settings": (TEXT, None)}
WORD = {"text": TEXT, "score": NUMBER, "quad": LIST}
LINE = {"text": TEXT, "score": NUMBER, "quad": LIST, "words?": [WORD]}
IMAGE = {
    "file": TEXT,
    "width": COUNT,
    "height": COUNT,
    "ms": NUMBER,
    "stages": dict,
    "lines": [LINE],
    "rounds_ms?": [NUMBER],
}
SUMMARY = {
    "images": COUNT,
    "mean_ms": NUMBER,
    "median_ms": NUMBER,
    "p95_ms": NUMBER,
    "images_per_s": NUMBER,
    "cpu_ms_per_image?": NUMBER,
    "switches_per_image?": NUMBER,
    "page_faults_per_image?": NUMBER,
    "rss_after_load_bytes": (COUNT, None),
    "rss_peak_bytes": (COUNT, None),
    "decoded_bytes?": (COUNT, None),
    "lines": COUNT,
    "truth_lines?": (COUNT, None),
    "exact_lines": (COUNT, None),
    "exact_images": (COUNT, None),
    "cer": (NUMBER, None),
    "exact_lines_nfkc": (COUNT, None),
    "exact_images_nfkc": (COUNT, None),
    "cer_nfkc": (NUMBER, None),
    "words?": (COUNT, None),
    "word_iou?": (NUMBER, None),
    "word_centres?": (NUMBER, None),
    "pairs_in_order?": (NUMBER, None),
    "pairs_in_order_by_kind?": dict,
    "lines_turned": (COUNT, None),
}
READING = {"schema": COUNT, "kind?": TEXT, "machine": MACHINE, "engine": ENGINE, "images": [IMAGE], "summary": SUMMARY}
SPREAD = {"rounds_ms": [NUMBER], "ratio": (NUMBER, None)}
NETWORK = {"network": TEXT, "shape": [COUNT], "engine": ENGINE, **SPREAD}
COMPARISON = {
    "schema": COUNT,
    "kind": TEXT,
    "command": TEXT,
    "rounds": COUNT,
    "machine": MACHINE,
    "networks": [NETWORK],
    "readings": [{"result": READING, **SPREAD}],
    "not_available": [{"peer": TEXT, "reason": TEXT}],
}


class Invalid(Exception):
    """A field of a file is wrong: the text names the field, the expected value and the actual one."""


def check(value, kind, where):
    if isinstance(kind, dict):
        check(value, (dict,), where)
        for name, field in kind.items():
            key = name.rstrip("?")
            if key in value:
                check(value[key], field, f"{where}.{key}")
            elif key == name:
                raise Invalid(f"{where}.{key} is missing")
    elif isinstance(kind, list):
        check(value, (list,), where)
        for i, element in enumerate(value):
            check(element, kind[0], f"{where}[{i}]")
    else:
        wanted = []
        for one in kind if isinstance(kind, tuple) else (kind,):
            wanted.extend(one if isinstance(one, tuple) else (one,))
        if value is None and None in wanted:
            return
        types = tuple(t for t in wanted if t is not None)
        if not isinstance(value, types) or isinstance(value, bool):
            names = " or ".join("null" if t is None else t.__name__ for t in wanted)
            raise Invalid(f"{where}: expected {names}, got {json.dumps(value, ensure_ascii=False)[:60]}")
        if isinstance(value, float) and not math.isfinite(value):
            raise Invalid(f"{where}: expected a finite number, got {value}")


def check_quads(reading, where):
    for i, image in enumerate(reading["images"]):
        for j, line in enumerate(image["lines"]):
            if len(line["quad"]) != 4:
                raise Invalid(f"{where}.images[{i}].lines[{j}].quad: expected 4 corners, got {len(line['quad'])}")
            for corner in line["quad"]:
                check(corner, [NUMBER], f"{where}.images[{i}].lines[{j}].quad")
                if len(corner) != 2:
                    raise Invalid(
                        f"{where}.images[{i}].lines[{j}].quad: a corner has {len(corner)} numbers, expected 2"
                    )


def validate(document, where="result"):
    """Raises Invalid at the first field that does not follow result_format.md."""
    check(document, (dict,), where)
    if document.get("schema") != SCHEMA:
        raise Invalid(f"{where}.schema: expected {SCHEMA}, got {document.get('schema')}")
    if document.get("kind") == "comparison":
        check(document, COMPARISON, where)
        for i, entry in enumerate(document["readings"]):
            check_quads(entry["result"], f"{where}.readings[{i}].result")
    else:
        check(document, READING, where)
        check_quads(document, where)


def load(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    validate(document, os.path.basename(path))
    return document


def save(document, path):
    """Validates the document, then writes the file atomically."""
    validate(document, os.path.basename(path))
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


# ------------------------------------------------------------------ scoring
def area(polygon):
    """Signed area; positive if the corners are in clockwise order (y grows downwards)."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1])) / 2


def clip(polygon, a, b):
    """The part of the polygon to the right of the line from a to b: the inside of a clockwise quad."""
    def side(p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    result = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1]):
        sp, sq = side(p), side(q)
        if sp >= 0:
            result.append(p)
        if (sp > 0) != (sq > 0) and sp != sq:
            t = sp / (sp - sq)
            result.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return result


def intersection_over_union(first, second):
    """Intersection over union of two convex quads; their corners may be in either direction."""
    quads = [[tuple(map(float, corner)) for corner in quad] for quad in (first, second)]
    quads = [quad if area(quad) >= 0 else quad[::-1] for quad in quads]
    rest = quads[0]
    for a, b in zip(quads[1], quads[1][1:] + quads[1][:1]):
        rest = clip(rest, a, b) if rest else rest
    common = area(rest) if len(rest) > 2 else 0.0
    union = area(quads[0]) + area(quads[1]) - common
    return common / union if union > 0 else 0.0


def along(quad, truth):
    """Position of the quad's centre along the truth line's reading direction: its top edge, or left edge if tall."""
    side = lambda i: math.dist(truth[0], truth[i])
    end = 3 if side(3) >= 1.5 * side(1) else 1
    direction = [truth[end][k] - truth[0][k] for k in (0, 1)]
    return sum(direction[k] * sum(corner[k] for corner in quad) / 4 for k in (0, 1))


def truth_line(found_line, truth):
    """The index of the truth line to which a found line belongs; None if there is none."""
    shares = [intersection_over_union(found_line["quad"], t["quad"]) for t in truth]
    best = max(range(len(truth)), key=shares.__getitem__, default=None)
    return None if best is None or shares[best] < MATCH_IOU else best


def assign(found, truth):
    """Matches found lines to truth lines: (joined text or None per truth line, texts of the unmatched found lines)."""
    of_truth, unmatched = [[] for _ in truth], []
    for line in found:
        best = truth_line(line, truth)
        if best is None:
            unmatched.append(line["text"])
        else:
            of_truth[best].append((along(line["quad"], truth[best]["quad"]), line["text"]))
    joined = ["".join(text for _, text in sorted(parts, key=lambda part: part[0])) if parts else None
              for parts in of_truth]
    return joined, unmatched


def order_pairs(found, truth):
    """(pairs of neighbouring truth lines in order, all of them); truth lines that were not found are left out."""
    sequence = [t for t in (truth_line(line, truth) for line in found) if t is not None]
    known = sorted(set(sequence))
    following = dict(zip(known, known[1:]))
    return len({a for a, b in zip(sequence, sequence[1:]) if following.get(a) == b}), len(following)


def edits(a, b):
    """Levenshtein distance in code points."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(previous + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def normalised(text):
    return unicodedata.normalize("NFKC", text).replace(" ", "")


def score_image(found, truth):
    """Returns {"raw": (exact lines, edits, characters), "nfkc": the same after NFKC without spaces}."""
    joined, unmatched = assign(found, truth)
    result = {}
    for name, form in (("raw", str), ("nfkc", normalised)):
        wanted = [form(line["text"]) for line in truth]
        got = [form(text or "") for text in joined]
        distances = [edits(w, g) for w, g in zip(wanted, got)]
        result[name] = (sum(j is not None and d == 0 for j, d in zip(joined, distances)),
                        sum(distances) + sum(len(form(text)) for text in unmatched), sum(map(len, wanted)))
    return result


def load_truth(path):
    """File name -> truth lines, from the truth.json of bench/dataset/make.py."""
    with open(path, encoding="utf-8") as file:
        return {os.path.basename(p["file"]): p["lines"] for p in json.load(file)["images"]}


def accuracy(images, truth):
    """The accuracy fields of the summary; all null without a truth. Raises Invalid if the truth lacks an image."""
    fields = dict.fromkeys(
        ("truth_lines", "exact_lines", "exact_images", "cer", "exact_lines_nfkc", "exact_images_nfkc", "cer_nfkc",
         "pairs_in_order")
    )
    if truth is None:
        return fields
    missing = [p["file"] for p in images if os.path.basename(p["file"]) not in truth]
    if missing:
        raise Invalid(f"the truth does not name {missing[0]}")
    wanted = [truth[os.path.basename(p["file"])] for p in images]
    fields["truth_lines"] = sum(map(len, wanted))
    scores = [score_image(p["lines"], lines) for p, lines in zip(images, wanted)]
    for form, ending in (("raw", ""), ("nfkc", "_nfkc")):
        exact, wrong, characters = zip(*(s[form] for s in scores)) if scores else ((), (), ())
        fields["exact_lines" + ending] = sum(exact)
        fields["exact_images" + ending] = sum(e == len(lines) and w == 0 for e, w, lines in zip(exact, wrong, wanted))
        fields["cer" + ending] = sum(wrong) / sum(characters) if sum(characters) else None
    in_order, pairs = map(sum, zip((0, 0), *(order_pairs(p["lines"], lines) for p, lines in zip(images, wanted))))
    fields["pairs_in_order"] = in_order / pairs if pairs else None
    return fields


# ------------------------------------------------------------------ summary
def percentile(values, share):
    """The smallest value that at least the fraction `share` of all values does not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def summarise(images, truth=None, rss_after_load=None, rss_peak=None, lines_turned=None, seconds=None):
    """The summary of images. `seconds`: wall time if images were read in parallel; default: the sum of their times."""
    times = [p["ms"] for p in images]
    total = seconds if seconds is not None else sum(times) / 1e3
    return {"images": len(images), "mean_ms": statistics.fmean(times), "median_ms": statistics.median(times),
            "p95_ms": percentile(times, 0.95), "images_per_s": len(images) / total if total else 0.0,
            "rss_after_load_bytes": rss_after_load, "rss_peak_bytes": rss_peak,
            "lines": sum(len(p["lines"]) for p in images), **accuracy(images, truth), "lines_turned": lines_turned}


# ------------------------------------------------------------------ machine
def read_file(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def machine(instruction_set=None, compiler=None, commit=None):
    cpu = re.search(r"model name\s*:\s*(.*)", read_file("/proc/cpuinfo"))
    memory = re.search(r"MemTotal:\s*(\d+) kB", read_file("/proc/meminfo"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "cpu": cpu.group(1).strip() if cpu else "unknown",
        "instruction_set": instruction_set,
        "gpu": None,
        "driver": None,
        "cores": cores,
        "memory_bytes": int(memory.group(1)) * 1024 if memory else 0,
        "compiler": compiler,
        "commit": commit,
    }


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for path in sys.argv[1:]:
        try:
            document = load(path)
        except (OSError, ValueError, Invalid) as error:
            sys.exit(f"{path}: {error}")
        results = (
            [entry["result"] for entry in document["readings"]] if document.get("kind") == "comparison" else [document]
        )
        for result in results:
            print(path, json.dumps(result["engine"], ensure_ascii=False), json.dumps(result["summary"]))
        for network in document.get("networks", []):
            print(
                path, network["engine"]["name"], network["network"], f"{statistics.median(network['rounds_ms']):.2f} ms"
            )


if __name__ == "__main__":
    main()
