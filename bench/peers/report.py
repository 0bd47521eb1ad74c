"""Markdown tables of a comparison (../result_format.md)."""
import shlex
import statistics

LEFT_ALIGNED = ("network", "engine", "version", "precision", "settings")


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"


def ratio(entry):
    return "" if entry["ratio"] is None else f"{entry['ratio']:.2f}"


def table(head, rows):
    align = ["---" if name in LEFT_ALIGNED else "---:" for name in head]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, align, *rows))


def by_group(entries, key):
    groups = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return groups.items()


def networks(document):
    """One table with a row for each network, number of threads and engine."""
    rows = []
    for (network, threads), entries in by_group(document["networks"], lambda e: (e["network"], e["engine"]["threads"])):
        for entry in entries:
            engine = entry["engine"]
            rows.append(
                [
                    f"{network} {'x'.join(map(str, entry['shape']))}",
                    str(threads),
                    engine["name"],
                    engine["version"],
                    engine["precision"],
                    spread(entry["rounds_ms"], 1),
                    ratio(entry),
                ]
            )
    return table(["network", "threads", "engine", "version", "precision", "ms", "ratio"], rows)


def share(part, whole):
    return "" if part is None else f"{part} of {whole}"


def rate(value):
    return "" if value is None else f"{100 * value:.2f} %"


def megabytes(value):
    return "" if value is None else f"{value / 1e6:.0f}"


def readings(document):
    """One table for each size and number of threads."""
    parts = []
    for (size, threads), entries in by_group(
        document["readings"], lambda e: (e["result"]["engine"]["size"], e["result"]["engine"]["threads"])
    ):
        with_truth = any(e["result"]["summary"]["cer"] is not None for e in entries)
        head = ["engine", "version", "precision", "settings", "ms/image", "ratio", "lines", "peak MB"]
        head += ["exact lines", "character errors", "character errors, NFKC without spaces"] if with_truth else []
        rows = []
        for entry in entries:
            engine, s = entry["result"]["engine"], entry["result"]["summary"]
            row = [
                engine["name"],
                engine["version"],
                engine["precision"],
                engine["settings"] or "",
                spread(entry["rounds_ms"], 1),
                ratio(entry),
                str(s["lines"]),
                megabytes(s["rss_peak_bytes"]),
            ]
            if with_truth:
                row += [share(s["exact_lines"], s["truth_lines"]), rate(s["cer"]), rate(s["cer_nfkc"])]
            rows.append(row)
        images = entries[0]["result"]["summary"]["images"]
        parts.append(
            f"{size}, {threads} thread{'s' if threads > 1 else ''}, {images} image{'s' if images > 1 else ''}:\n\n"
            + table(head, rows)
        )
    return "\n\n".join(parts)


def not_available(document):
    return "\n".join(f"- {m['peer']}: not available: {m['reason']}" for m in document["not_available"])


def wrapped(command, width=112):
    """The command in lines of about `width` columns, broken between its words and continued by backslashes."""
    lines = [""]
    for word in map(shlex.quote, shlex.split(command)):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return " \\\n    ".join(lines)


def conditions(document):
    """Machine, number of rounds and command of a session."""
    m = document["machine"]
    return (
        f"{m['cpu']}, {m['cores']} cores, {m['memory_bytes'] / 2**30:.0f} GiB; "
        f"inkread commit {m['commit'] or 'unknown'}, {m['instruction_set'] or 'unknown'} instructions; "
        f"{document['rounds']} rounds, median [min, max].\n"
        "ratio: time divided by inkread's in the same round, median over the rounds; above 1 inkread is faster.\n\n"
        f"```\n{wrapped(document['command'])}\n```"
    )


def whole(document):
    parts = [conditions(document)]
    for make, key in ((networks, "networks"), (readings, "readings"), (not_available, "not_available")):
        if document[key]:
            parts.append(make(document))
    return "\n\n".join(parts) + "\n"
