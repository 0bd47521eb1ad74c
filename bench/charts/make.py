#!/usr/bin/env python3
"""Draws the charts and writes the tables of docs/performance.md from the results of bench/peers/run.py.

    make.py RESULTS.json [...] [--docs DIR]

Writes DIR/charts/networks.svg and DIR/charts/images.svg. In DIR/performance.md it replaces the text between
`<!-- generated: NAME -->` and `<!-- end -->`, where NAME is conditions, networks, images or missing. Several result
files are combined, for example one with networks and one with images. Parts without results stay unchanged.
"""
import argparse
import os
import re
import statistics
import sys
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.dirname(HERE)
sys.path[:0] = [BENCH, os.path.join(BENCH, "peers")]
import report  # noqa: E402
import result  # noqa: E402

WIDTH, LABEL_WIDTH, VALUE_WIDTH = 860, 250, 130
BAR, GAP, HEAD, TOP = 18, 6, 30, 64
OURS, SAME_PRECISION, LOWER_PRECISION = "#0b6e4f", "#8a94a6", "#c9a24b"
FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


def text(x, y, words, size=12, anchor="start", weight="normal", colour="#1f2933"):
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' font-weight='{weight}' "
        f"fill='{colour}' {FONT}>{escape(words)}</text>"
    )


def colour_of(engine):
    if engine["name"].startswith("inkread"):
        return OURS
    return SAME_PRECISION if engine["precision"] == "f32" else LOWER_PRECISION


def bar_chart(title, subtitle, groups):
    """groups: [(heading, [(label, value, minimum, maximum, colour)])], values in ms.

    Each group has a scale of its own, since only bars of one group are compared.
    """
    parts, y, bar_width = [], TOP, WIDTH - LABEL_WIDTH - VALUE_WIDTH
    for heading, bars in groups:
        parts.append(text(16, y + 18, heading, 13, weight="bold"))
        y += HEAD
        scale = bar_width / max(maximum for _, _, _, maximum, _ in bars)
        for label, value, minimum, maximum, colour in bars:
            value_label = f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
            middle = y + BAR / 2
            parts.append(text(LABEL_WIDTH - 8, middle + 4, label, anchor="end"))
            parts.append(
                f"<rect x='{LABEL_WIDTH}' y='{y}' width='{value * scale:.1f}' height='{BAR}' fill='{colour}'/>"
            )
            left, right = LABEL_WIDTH + minimum * scale, LABEL_WIDTH + maximum * scale
            parts.append(f"<path d='M{left:.1f} {middle}H{right:.1f}' stroke='#1f2933'/>")
            parts.append(text(right + 8, middle + 4, value_label))
            y += BAR + GAP
        y += GAP
    legend = [(OURS, "inkread"), (SAME_PRECISION, "peer, f32"), (LOWER_PRECISION, "peer, 16 bits")]
    for i, (colour, words) in enumerate(legend):
        parts.append(f"<rect x='{WIDTH - 310 + 100 * i}' y='14' width='12' height='12' fill='{colour}'/>")
        parts.append(text(WIDTH - 294 + 100 * i, 24, words, 11))
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{y}' "
            f"viewBox='0 0 {WIDTH} {y}' role='img'>",
            f"<title>{escape(title)}</title>",
            f"<rect width='{WIDTH}' height='{y}' fill='#ffffff'/>",
            text(16, 26, title, 16, weight="bold"),
            text(16, 46, subtitle, 11, colour="#52606d"),
            *parts,
            "</svg>",
            "",
        ]
    )


def bar(entry, engine):
    times = entry["rounds_ms"]
    return engine["name"], statistics.median(times), min(times), max(times), colour_of(engine)


def threads_of(number):
    return f"{number} thread{'s' if number > 1 else ''}"


def network_groups(document):
    groups = report.by_group(
        document["networks"], lambda e: (e["network"], "x".join(map(str, e["shape"])), e["engine"]["threads"])
    )
    return [
        (f"{network} {shape}, {threads_of(threads)}", [bar(e, e["engine"]) for e in entries])
        for (network, shape, threads), entries in groups
    ]


def image_groups(document):
    groups = report.by_group(
        document["readings"], lambda e: (e["result"]["engine"]["size"], e["result"]["engine"]["threads"])
    )
    return [
        (f"{size}, {threads_of(threads)}", [bar(e, e["result"]["engine"]) for e in entries])
        for (size, threads), entries in groups
    ]


def replace_part(page, name, content):
    pattern = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(page):
        raise SystemExit(f"performance.md has no '<!-- generated: {name} -->'")
    return pattern.sub(lambda match: match.group(1) + content + "\n" + match.group(2), page)


def note(documents, key):
    """The line below a chart's title, from the first file that has results under `key`."""
    document = next(d for d in documents if d[key])
    return (f"{document['machine']['cpu']}; median of {document['rounds']} alternating rounds; "
            "the thin line spans the fastest to the slowest round")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--docs", default=os.path.join(os.path.dirname(BENCH), "docs"))
    args = parser.parse_args()
    documents = [result.load(path) for path in args.results]
    for path, document in zip(args.results, documents):
        if document.get("kind") != "comparison":
            sys.exit(f"{path} is not a comparison")
    whole = {
        **documents[0],
        **{key: [e for d in documents for e in d[key]] for key in ("networks", "readings", "not_available")},
    }
    parts = {"conditions": "\n\n".join(report.conditions(d) for d in documents),
             "missing": report.not_available(whole) or "All peers ran."}
    charts = {}
    if whole["networks"]:
        parts["networks"] = "![Networks](charts/networks.svg)\n\n" + report.networks(whole)
        charts["networks"] = bar_chart("Time per network run", note(documents, "networks"), network_groups(whole))
    if whole["readings"]:
        parts["images"] = "![Images](charts/images.svg)\n\n" + report.readings(whole)
        charts["images"] = bar_chart("Mean time per image", note(documents, "readings"), image_groups(whole))
    page_path = os.path.join(args.docs, "performance.md")
    with open(page_path, encoding="utf-8") as file:
        page = file.read()
    for name, content in parts.items():
        page = replace_part(page, name, content)
    os.makedirs(os.path.join(args.docs, "charts"), exist_ok=True)
    for name, chart in charts.items():
        with open(os.path.join(args.docs, "charts", f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(chart)
    with open(page_path, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
