#!/usr/bin/env python3
"""Joins the tests of several build folders, so that one ctest runs them all and sums them up.

  join_tests.py BUILD OUT LABELS FIRST OTHER[:LABEL]...

Writes OUT/CTestTestfile.cmake with the tests of BUILD/FIRST under their own names, and those of each BUILD/OTHER as
OTHER/NAME: those that have the label LABEL where one is given, else all but tests with a label that the expression
LABELS matches.
"""
import json
import pathlib
import re
import subprocess
import sys


def quoted(value):
    text = ";".join(value) if isinstance(value, list) else str(value)
    return "[==[" + text + "]==]"


def main(build, out, labels, *presets):
    lines = ["# Made by tools/join_tests.py."]
    for preset, _, only in (p.partition(":") for p in presets):
        listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=pathlib.Path(build) / preset, check=True,
                                 capture_output=True, text=True).stdout
        for test in json.loads(listing)["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            is_first = preset == presets[0]
            has = properties.get("LABELS", [])
            if only not in has if only else not is_first and re.search(labels, " ".join(has)):
                continue
            if "command" not in test:
                sys.exit(f"{build}/{preset}: the program of test {test['name']} has not been built")
            name = test["name"] if is_first else f"{preset}/{test['name']}"
            lines.append(f"add_test({quoted(name)} {' '.join(map(quoted, test['command']))})")
            lines.append(f"set_tests_properties({quoted(name)} PROPERTIES " +
                         " ".join(f"{key} {quoted(value)}" for key, value in properties.items()) + ")")
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
