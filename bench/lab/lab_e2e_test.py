#!/usr/bin/env python3
"""The real inkread-lab: lab_e2e_test.py LAB [unittest's arguments]. What needs models shows as skipped without them."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TINY_NETWORK = ROOT / "tests/fuzz/corpus/onnx/detector.onnx"
LAB = None


def lab(*arguments, code=0):
    run = subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if run.returncode != code:
        raise AssertionError(f"{arguments}: exit code {run.returncode}, expected {code}\n{run.stdout}\n{run.stderr}")
    return run.stdout if code == 0 else run.stderr


class WithoutModels(unittest.TestCase):
    def test_plan_prints_the_schedule_and_what_it_costs(self):
        for backend in "cpu", "reference":
            out = lab("plan", TINY_NETWORK, "--shape", "1x32x64", "--backend", backend)
            self.assertRegex(out, r"(?m)^0 @0 ")
            for name in "steps", "MACs", "moved", "arena", "weights", "planned":
                self.assertRegex(out, rf"(?m)^{name} +[\din]")

    def test_profile_names_every_kind_and_the_sum(self):
        out = lab("profile", TINY_NETWORK, "--shape", "1x32x64", "--runs", 3, "--backend", "reference")
        by_kind = set(re.findall(r"[%-] +([a-z_]+)(?:, \d+ steps?)?$", out.split("\n\n")[0], re.M))
        plan = lab("plan", TINY_NETWORK, "--shape", "1x32x64", "--backend", "reference")
        self.assertEqual(set(re.findall(r"(?m)^\d+ @\d+ (\w+)", plan)) | {"all"}, by_kind)
        self.assertRegex(out, r"(?m)^a run takes \d+\.\d{3} ms$")

    def test_gemm_measures_the_sizes_that_it_is_given(self):
        out = lab("gemm", "--shapes", "64x16x33,1x8x8", "--threads", 1)
        self.assertRegex(out, r"(?m)^ +64 +16 +33 +[\d.]+ +\d+ %$")
        self.assertRegex(out, r"(?m)^ +1 +8 +8 +[\d.]+ +\d+ %$")

    def test_probe_has_the_peak(self):
        self.assertRegex(lab("probe", "--threads", 1), r"(?m)^f32, all threads +\d+\.\d\d GMAC/s$")
        self.assertIn("does not probe", lab("probe", "--backend", "reference", code=3))

    def test_repeat_finds_equal_bits(self):
        for backend in "cpu", "reference":
            out = lab("repeat", TINY_NETWORK, "--shape", "2x32x64", "--runs", 5, "--threads", 3, "--backend", backend)
            self.assertIn("5 runs, all bits equal", out)

    def test_wrong_usage_is_2_and_a_missing_file_3(self):
        lab("plan", TINY_NETWORK, "--shape", "32x64", code=2)
        lab("gemm", "--shapes", "1x2", code=2)
        lab(code=2)
        self.assertIn("nowhere.onnx", lab("plan", "nowhere.onnx", "--shape", "1x32x64", code=3))
        self.assertIn("backend 'abacus'", lab("probe", "--backend", "abacus", code=3))
        with tempfile.TemporaryDirectory() as empty:
            self.assertIn("holds no image", lab("stress", "--input", empty, code=3))
        self.assertIn("backend 'reference'", lab("stress", "--input", ROOT / "samples", "--backend", "reference", code=3))


class WithModels(unittest.TestCase):
    def setUp(self):
        run = subprocess.run([LAB, "plan", "tiny/det", "--shape", "1x64x96"], capture_output=True, text=True)
        if run.returncode != 0:
            self.skipTest(run.stderr.strip())

    def test_repeat(self):
        for network, shape in ("det", "1x256x320"), ("rec", "3x48x320"):
            self.assertIn("all bits equal", lab("repeat", f"tiny/{network}", "--shape", shape, "--runs", 4, "--threads", 4))
        self.assertIn("all bits equal", lab("repeat", "tiny/rec", "--shape", "1x48x320", "--ctc", "--runs", 4))

    def test_stress(self):
        out = lab("stress", "--size", "tiny", "--input", ROOT / "samples", "--threads", 3, "--reads", 4)
        self.assertRegex(out, r"3 callers x 4 reads of \d images: 0 mismatches$")

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "trace.json"
            lab("trace", ROOT / "samples" / "receipt.png", "--size", "tiny", "--threads", 2, "--out", out)
            events = json.loads(out.read_text())["traceEvents"]
        self.assertTrue({"detect", "recognise", "lines", "conv"} <= {event["name"] for event in events})
        self.assertTrue(all(event["dur"] >= 0 and event["ts"] >= 0 for event in events))
        self.assertLessEqual(len({event["tid"] for event in events}), 2)


if __name__ == "__main__":
    LAB = os.path.abspath(sys.argv.pop(1))
    unittest.main()
