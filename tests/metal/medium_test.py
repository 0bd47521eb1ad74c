#!/usr/bin/env python3
"""Runs metal_networks_test for medium, on the stand-in of ../oracle/medium_standin: medium_test.py NETWORKS_TEST

Exits with 77, which ctest shows as skipped, without numpy or onnx.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

STANDIN = pathlib.Path(__file__).resolve().parent.parent / "oracle" / "medium_standin"
SKIPPED = 77

try:
    sys.path.insert(0, str(STANDIN))
    import fill
except ImportError as missing:
    print(f"skipped: {missing} (install tests/oracle/requirements.txt)")
    sys.exit(SKIPPED)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="inkread_medium_") as models:
        folder = pathlib.Path(models) / "medium"
        folder.mkdir()
        for network in ("det", "rec"):
            fill.fill(STANDIN / f"{network}.skeleton.onnx", folder / f"{network}.onnx")
        run = subprocess.run([sys.argv[1], "--gtest_filter=*/medium"], env=dict(os.environ, INKREAD_MODELS=models),
                             capture_output=True, text=True)
    print(run.stdout, run.stderr)
    if run.returncode != 0 or "[  PASSED  ] 2 tests." not in run.stdout:
        sys.exit("the networks differ, or were not run")


if __name__ == "__main__":
    main()
