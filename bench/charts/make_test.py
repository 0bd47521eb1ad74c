#!/usr/bin/env python3
"""Tests of make.py: charts and tables of a small comparison."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import result  # noqa: E402

PAGE = "".join(
    f"# {n}\n<!-- generated: {n} -->\nold\n<!-- end -->\n" for n in ("conditions", "networks", "images", "missing")
)


def engine(name, precision):
    return {
        "name": name,
        "version": "1 & 2",
        "size": "tiny",
        "profile": None,
        "precision": precision,
        "backend": "cpu",
        "threads": 1,
        "workers": 1,
        "settings": None,
    }


def comparison(**parts):
    return {
        "schema": 2,
        "kind": "comparison",
        "command": "run.py",
        "rounds": 3,
        "machine": result.machine(),
        "networks": [],
        "readings": [],
        "not_available": [],
        **parts,
    }


def network(name, precision, rounds, ratio):
    return {
        "network": "tiny det",
        "shape": [1, 3, 32, 64],
        "engine": engine(name, precision),
        "rounds_ms": rounds,
        "ratio": ratio,
    }


NETWORKS = [network("inkread", "precise", [10.0, 11.0, 12.0], 1.0), network("<other>", "bf16", [21.0, 22.0, 44.0], 2.0)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class MakeTest(unittest.TestCase):
    def make(self, document):
        """Returns (text of performance.md, {name of a file in charts/: its text})."""
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "performance.md")
            with open(page, "w", encoding="utf-8") as file:
                file.write(PAGE)
            result.save(document, os.path.join(folder, "x.json"))
            subprocess.run(
                [sys.executable, "-B", os.path.join(HERE, "make.py"), os.path.join(folder, "x.json"), "--docs", folder],
                check=True,
            )
            charts = os.path.join(folder, "charts")
            return read(page), {name: read(os.path.join(charts, name)) for name in os.listdir(charts)}

    def test_tables_replace_the_old_text(self):
        page, _ = self.make(comparison(networks=NETWORKS))
        self.assertIn("| 22.0 [21.0, 44.0] | 2.00 |", page)
        self.assertIn("All peers ran.", page)
        self.assertIn("```\nrun.py\n```", page)
        self.assertEqual(page.count("<!-- end -->"), 4)
        self.assertEqual(page.count("old"), 1)  # the images, which this result does not have

    def test_a_peer_that_is_missing_is_named(self):
        page, _ = self.make(comparison(networks=NETWORKS, not_available=[{"peer": "x", "reason": "no wheel"}]))
        self.assertIn("- x: not available: no wheel", page)

    def test_bars_have_the_length_of_their_values(self):
        _, charts = self.make(comparison(networks=NETWORKS))
        self.assertEqual(list(charts), ["networks.svg"])
        root = xml.etree.ElementTree.fromstring(charts["networks.svg"])
        labels = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
        for label in ("inkread", "<other>", "11.0 ms", "22.0 ms", "tiny det 1x3x32x64, 1 thread"):
            self.assertIn(label, labels)
        bars = [float(w) for w in re.findall(r"width='([\d.]+)' height='18'", charts["networks.svg"])]
        self.assertEqual(len(bars), 2)
        self.assertAlmostEqual(bars[1] / bars[0], 2.0, places=2)

    def test_a_reading(self):
        images = [{"file": "a", "width": 9, "height": 9, "ms": 150.0, "stages": {}, "lines": []}]
        reading = {"schema": 2, "machine": result.machine(), "engine": engine("inkread", "precise"), "images": images,
                   "summary": result.summarise(images)}
        page, charts = self.make(comparison(readings=[{"result": reading, "rounds_ms": [150.0], "ratio": 1.0}]))
        self.assertIn("tiny, 1 thread, 1 image:", page)
        self.assertIn("![Images](charts/images.svg)", page)
        self.assertIn("150 ms", charts["images.svg"])


if __name__ == "__main__":
    unittest.main()
