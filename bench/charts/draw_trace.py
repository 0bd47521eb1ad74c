#!/usr/bin/env python3
"""Draws what each thread did during a read, as a picture for a page.

    draw_trace.py TRACE.json OUT.svg

TRACE.json is what `inkread-lab trace` writes. A row is a thread, from left to right is time. Where spans nest, the
inner one is shown. A trace viewer such as Perfetto shows the same file in every detail.
"""
import argparse
import json
from xml.sax.saxutils import escape

from make import text

COLUMNS, LEFT, TOP, ROW, GAP = 860, 40, 76, 14, 3
# What is shown, each with the spans that it stands for.
COLOURS = {
    "matrix products and convolutions": ("#0b6e4f", ["conv", "rows", "conv_transpose", "ctc_head"]),
    "other steps": ("#c9a24b", ["attention", "depthwise_conv", "layer_norm", "squeeze_excite", "elementwise", "copy",
                                "pool", "global_pool", "softmax", "resize", "band"]),
    "picture, boxes, crops": ("#5b7db1", ["detector input", "boxes", "crop", "decode", "order", "words"]),
    "between steps": ("#d5dae1", ["help", "lines", "recognise", "detect"]),
    "waits": ("#d64545", ["wait", "wait for helpers"]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("out")
    arguments = parser.parse_args()
    with open(arguments.trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(picture(events))


def shown_kinds(events):
    """For each thread the kind that is seen in each column, and the columns' width in us."""
    kind_of = {name: kind for kind, (_, names) in COLOURS.items() for name in names}
    begin = min(event["ts"] for event in events)
    end = max(event["ts"] + event["dur"] for event in events)
    column_us = (end - begin) / COLUMNS
    rows = {thread: [None] * COLUMNS for thread in sorted({event["tid"] for event in events})}
    # Outer spans are longer than those inside them, which therefore are drawn over them.
    for event in sorted(events, key=lambda event: -event["dur"]):
        first = int((event["ts"] - begin) / column_us)
        last = int((event["ts"] + event["dur"] - begin) / column_us)
        for column in range(first, min(max(first + 1, last), COLUMNS)):
            rows[event["tid"]][column] = kind_of.get(event["name"], "other steps")
    return rows, column_us


def picture(events):
    rows, column_us = shown_kinds(events)
    ms = column_us * COLUMNS / 1000
    width, height = LEFT + COLUMNS + 20, TOP + len(rows) * (ROW + GAP) + 36
    busy = sum(kind not in (None, "waits", "between steps") for row in rows.values() for kind in row)
    share = 100 * busy / (COLUMNS * len(rows))
    title = f"One page on {len(rows)} threads: {ms:.1f} ms, {share:.0f} % of the threads' time in kernels"
    parts = [text(16, 26, title, 15, weight="bold")]
    x = 16
    for kind, (colour, _) in COLOURS.items():
        parts.append(f"<rect x='{x}' y='42' width='12' height='12' fill='{colour}'/>")
        parts.append(text(x + 16, 52, kind, 11))
        x += 40 + 7 * len(kind)
    for number, row in enumerate(rows.values()):
        y = TOP + number * (ROW + GAP)
        parts.append(f"<rect x='{LEFT}' y='{y}' width='{COLUMNS}' height='{ROW}' fill='#f4f5f7'/>")
        parts.append(text(LEFT - 8, y + ROW - 3, str(number + 1), 10, anchor="end"))
        parts += [
            f"<path d='M{LEFT + begin} {y + ROW / 2:g}H{LEFT + end}' stroke='{COLOURS[kind][0]}' stroke-width='{ROW}'/>"
            for begin, end, kind in runs(row)
        ]
    bottom = TOP + len(rows) * (ROW + GAP)
    for tick in range(0, int(ms) + 1, 5):
        at = LEFT + tick / ms * COLUMNS
        parts.append(f"<path d='M{at:.1f} {bottom}v5' stroke='#1f2933'/>")
        parts.append(text(at, bottom + 18, f"{tick} ms", 10, anchor="middle"))
    head = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>"
    ground = f"<title>{escape(title)}</title><rect width='{width}' height='{height}' fill='#ffffff'/>"
    return "\n".join([head, ground, *parts, "</svg>", ""])


def runs(row):
    """Neighbouring columns of one kind, as (begin, end, kind), without those where the thread did nothing."""
    begin = 0
    for column in range(1, len(row) + 1):
        if column < len(row) and row[column] == row[begin]:
            continue
        if row[begin] is not None:
            yield begin, column, row[begin]
        begin = column


if __name__ == "__main__":
    main()
