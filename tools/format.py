#!/usr/bin/env python3
"""Checks that every C++ file is formatted by clang-format 14: format.py [--fix]

With --fix it rewrites the files that are not. The exit code is 77 (skipped) if clang-format 14 is missing: other
versions format some lines differently.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = "version 14."


def find_clang_format():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program and VERSION in subprocess.run([program, "--version"], capture_output=True, text=True).stdout:
            return program
    return None


program = find_clang_format()
if program is None:
    print("skipped: clang-format 14 is not installed")
    sys.exit(77)
files = sorted(str(path.relative_to(ROOT)) for top in ("src", "include", "apps", "examples", "tests", "bench", "python")
               for path in (ROOT / top).rglob("*") if path.suffix in (".cc", ".h", ".c"))
mode = ["-i"] if sys.argv[1:] == ["--fix"] else ["--dry-run", "-Werror"]
code = subprocess.run([program, *mode, *files], cwd=ROOT).returncode
print(f"{len(files)} files, " + ("formatted" if "-i" in mode else "all formatted" if code == 0 else
                                 "some not formatted; run ./dev format"))
sys.exit(code)
