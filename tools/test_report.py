#!/usr/bin/env python3
"""Prints what ctest prints and, before its closing summary, where the time went: test_report.py [PHASE=SECONDS]...

A PHASE is what was done before the tests. The summary stays last, since that is what a reader and a machine look for.
"""
import re
import sys
import time

NUM_SLOWEST = 10
RESULT = re.compile(r"\s*\d+/\d+ Test\s+#\d+: (\S+) .*?([\d.]+) sec\s*$")
SUMMARY = re.compile(r"\d+% tests passed")


def report(phases, tests):
    """The lines of the table; phases and tests are pairs of a name and seconds."""
    lines = ["Time of each phase:"]
    lines += [f"{seconds:8.0f} s  {name}" for name, seconds in [*phases, ("all", sum(s for _, s in phases))]]
    lines += ["", "Slowest tests:"]
    lines += [f"{seconds:8.1f} s  {name}" for name, seconds in sorted(tests, key=lambda t: -t[1])[:NUM_SLOWEST]]
    return lines


def main(arguments, lines, out):
    phases = [(name, float(seconds)) for name, _, seconds in (a.rpartition("=") for a in arguments)]
    began = time.monotonic()
    tests = []
    is_reported = False
    for line in lines:
        if SUMMARY.match(line) and not is_reported:
            is_reported = True
            phases.append(("tests", time.monotonic() - began))
            out.write("\n".join(report(phases, tests)) + "\n\n")
        found = RESULT.match(line)
        if found:
            tests.append((found[1], float(found[2])))
        out.write(line)
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1:], sys.stdin, sys.stdout)
