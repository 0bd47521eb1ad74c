#!/usr/bin/env python3
"""Tests of the data set. Exit code 77 (skipped) without the pinned packages and fonts."""
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import pins  # noqa: E402

if pins.missing():
    print("skipped:", "; ".join(pins.missing()))
    sys.exit(77)
import degrade  # noqa: E402
import fonts  # noqa: E402
import make  # noqa: E402
import result  # noqa: E402
import turned  # noqa: E402
from dice import Dice  # noqa: E402
from draw import WORD, Line, Page, Word  # noqa: E402
from pages import CHOICES, KINDS, MORE_KINDS, SIZES  # noqa: E402

_, font_complaints = fonts.check()
if font_complaints:
    print("skipped:", "; ".join(font_complaints))
    sys.exit(77)

COUNT = 6  # images
ALL_KINDS = {**KINDS, **MORE_KINDS}
# Characters that only kana.py and vertical.py use.
KANA = range(0x3041, 0x30FF)


def dictionary(size):
    """The characters that an installed model knows; None if it is not installed."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = os.environ.get("INKREAD_MODELS") or pathlib.Path(cache) / "inkread" / "models"
    path = pathlib.Path(folder) / size / "dictionary.txt"
    return set(path.read_text(encoding="utf-8")) if path.exists() else None


def make_set(folder, *options):
    """Runs make.py; returns file -> SHA-256."""
    subprocess.run([sys.executable, "-B", str(HERE / "make.py"), "--out", folder, "--count", str(COUNT), *options],
                   check=True, stdout=subprocess.DEVNULL)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(folder).iterdir()}


def greys_along_the_middle(image, quad):
    """The grey values on the line between the middles of a quad's two shorter sides, 1 px apart."""
    is_tall = math.dist(quad[0], quad[3]) > math.dist(quad[0], quad[1])
    sides = ((0, 1), (3, 2)) if is_tall else ((0, 3), (1, 2))
    (ax, ay), (bx, by) = ([(p + q) / 2 for p, q in zip(quad[i], quad[j])] for i, j in sides)
    steps = math.ceil(math.hypot(bx - ax, by - ay))
    grey = image.convert("L")
    return [grey.getpixel((int(ax + (bx - ax) * n / steps), int(ay + (by - ay) * n / steps))) for n in range(steps)]


def share_of_ink(image, quad, ground):
    """The share of the points of each edge of an upright quad, just within it, that differ from the ground."""
    (left, top), (right, bottom) = quad[0], quad[2]
    rows, columns = range(round(top), round(bottom)), range(round(left), round(right))
    edges = ([(x, rows[0]) for x in columns], [(columns[-1], y) for y in rows],
             [(x, rows[-1]) for x in columns], [(columns[0], y) for y in rows])
    return [sum(image.getpixel(point) != ground for point in edge) / len(edge) for edge in edges]


class DatasetTest(unittest.TestCase):
    def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(self):
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            first = make_set(a)
            self.assertEqual(len(first), COUNT + 1)
            self.assertEqual(make_set(b), first)
            other = make_set(b, "--seed", "2")
            self.assertEqual(len(other), COUNT + 1, "images of an earlier run are left")
            for entry in json.loads((pathlib.Path(b) / "truth.json").read_text(encoding="utf-8"))["images"]:
                self.assertNotEqual(other[entry["file"]], first.get(entry["file"]))

    def test_a_kind_can_be_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            make_set(folder, "--kind", "dense")
            truth = json.loads((pathlib.Path(folder) / "truth.json").read_text(encoding="utf-8"))
        self.assertEqual([entry["kind"] for entry in truth["images"]], ["dense"] * COUNT)
        for entry in truth["images"]:
            self.assertEqual((entry["width"], entry["height"]), (762, 1000))
            self.assertIn(len(entry["lines"]), (59, 60))

    def test_the_data_set_has_the_same_kinds_whatever_else_can_be_drawn(self):
        kinds = [make.make_image(1, number)[1]["kind"] for number in range(1, len(KINDS) + 1)]
        self.assertEqual(kinds, list(KINDS))
        self.assertEqual(set(KINDS) & set(MORE_KINDS), set())
        self.assertLessEqual(set(ALL_KINDS), set(CHOICES))

    def test_every_kind_has_its_lines_inside_the_image_and_inked(self):
        for number in range(1, 2 * len(ALL_KINDS) + 1):
            image, entry = make.make_image(3, number, ALL_KINDS)
            with self.subTest(entry["file"]):
                self.assertEqual(image.size, (entry["width"], entry["height"]))
                self.assertGreater(len(entry["lines"]), 0)
                for line in entry["lines"]:
                    self.assertEqual(line["text"], line["text"].strip())
                    xs, ys = zip(*line["quad"])
                    self.assertTrue(min(xs) >= 0 and max(xs) <= image.width, line)
                    self.assertTrue(min(ys) >= 0 and max(ys) <= image.height, line)
                    # From the text's own top left, clockwise.
                    self.assertTrue(xs[0] < xs[1] and xs[3] < xs[2] and ys[0] < ys[3] and ys[1] < ys[2], line)
                    greys = greys_along_the_middle(image, line["quad"])
                    self.assertGreater(max(greys) - min(greys), 60, line)

    def test_pages_of_other_sizes_have_their_lines_inside_and_apart(self):
        for kind in SIZES:
            if kind == "tall":  # takes seconds
                continue
            image, entry = make.make_image(3, 1, CHOICES[kind])
            with self.subTest(kind):
                self.assertGreater(max(image.size), 1700)
                boxes = []
                for line in entry["lines"]:
                    xs, ys = zip(*line["quad"])
                    self.assertTrue(min(xs) >= 0 and max(xs) <= image.width, line)
                    self.assertTrue(min(ys) >= 0 and max(ys) <= image.height, line)
                    boxes.append((sum(xs) / 4, sum(ys) / 4))
                self.assertEqual(len(set(boxes)), len(boxes))

    def test_words_are_split_at_spaces_and_around_han(self):
        words = lambda text: [match.group() for match in WORD.finditer(text)]
        self.assertEqual(words("No. 12-3  ok"), ["No.", "12-3", "ok"])
        self.assertEqual(words("第5组的Wi-Fi，コ"), ["第", "5", "组", "的", "Wi-Fi", "，", "コ"])

    def test_words_have_their_ink_from_edge_to_edge(self):
        page = Page(600, 100)
        page.text(300, 60, "Ag 一点, fi", "sans", 36, (0, 0, 0), "center")
        page.text(580, 90, "12 345", "roman", 20, (0, 0, 0), "right")
        for line in page.lines:
            self.assertEqual([word.text for word in line.words], [m.group() for m in WORD.finditer(line.text)])
            for word in line.words:
                shares = share_of_ink(page.image, word.quad, page.paper)
                self.assertTrue(all(share > 0 for share in shares), (word, shares))
                for n in (0, 2):  # a pixel farther out there is none
                    outer = [(x + (n - 1), y + (n - 1)) for x, y in word.quad]
                    self.assertEqual(share_of_ink(page.image, outer, page.paper)[3 if n == 0 else 1], 0, word)

    def test_the_words_of_every_line_are_its_text_in_order_within_it(self):
        for number in range(1, 2 * len(KINDS) + 1):
            _, entry = make.make_image(3, number)
            for line in entry["lines"]:
                words = line["words"]
                self.assertEqual("".join(w["text"] for w in words), "".join(line["text"].split()), line)
                quad = [tuple(corner) for corner in line["quad"]]
                places = []
                for word in words:
                    self.assertGreater(result.area([tuple(corner) for corner in word["quad"]]), 0)
                    for corner in word["quad"]:
                        for a, b in zip(quad, quad[1:] + quad[:1]):
                            side = (b[0] - a[0]) * (corner[1] - a[1]) - (b[1] - a[1]) * (corner[0] - a[0])
                            self.assertGreater(side, -0.2 * math.dist(a, b), (line["text"], word))
                    places.append(sum(corner[0] for corner in word["quad"]))
                self.assertEqual(places, sorted(places))

    def test_lines_do_not_overlap(self):
        for number in range(1, 2 * len(ALL_KINDS) + 1):
            page = list(ALL_KINDS.values())[number % len(ALL_KINDS)](Dice("overlap", number))
            boxes = [(line.text, line.quad[0], line.quad[2]) for line in page.lines]
            for n, (text, (left, top), (right, bottom)) in enumerate(boxes):
                for other, (left2, top2), (right2, bottom2) in boxes[:n]:
                    apart = left >= right2 or left2 >= right or top >= bottom2 or top2 >= bottom
                    self.assertTrue(apart, f"'{text}' and '{other}'")

    def test_text_that_cannot_be_drawn_is_refused(self):
        page = Page(200, 60)
        with self.assertRaisesRegex(ValueError, "face 'dejavu' has no '国'"):
            page.text(20, 40, "A国", "dejavu", 20)
        with self.assertRaisesRegex(ValueError, "'wide text' .* leaves the page"):
            page.text(150, 40, "wide text", "dejavu", 20)
        self.assertEqual(page.lines, [])
        page.text(20, 40, "A", "dejavu", 20)
        self.assertEqual([line.text for line in page.lines], ["A"])

    def test_quads_turn_with_the_image(self):
        page = Page(300, 200)
        page.pen.rectangle((20, 20, 26, 26), (0, 0, 0))
        for degrees in (-3, 3):
            quad = [(20, 20), (27, 20), (27, 27), (20, 27)]
            image, lines = degrade.turn(page.image, [Line("x", quad, [Word("x", quad)])], degrees, (90, 90, 90))
            middle = [sum(values) / 4 for values in zip(*lines[0].quad)]
            self.assertLess(image.getpixel((int(middle[0]), int(middle[1])))[0], 40)
            self.assertEqual(lines[0].words, [Word("x", lines[0].quad)])

    def test_turned_pages_have_the_lines_of_the_others(self):
        _, entry = make.make_image(3, 2)
        image, turned = make.make_image(3, 2, turn=180)
        self.assertEqual(turned["turned_deg"], entry["turned_deg"] + 180)
        self.assertEqual([line["text"] for line in turned["lines"]], [line["text"] for line in entry["lines"]])
        for line, other in zip(turned["lines"], entry["lines"]):
            for (x, y), (x2, y2) in zip(line["quad"], other["quad"]):
                self.assertAlmostEqual(x + x2, image.width, delta=1.1)
                self.assertAlmostEqual(y + y2, image.height, delta=1.1)

    def test_quads_turn_with_the_image_by_every_angle(self):
        page = Page(300, 200)
        page.pen.rectangle((20, 20, 50, 26), (0, 0, 0))
        for degrees in (90, 180, 270, -5, 5):
            image, [quad] = turned.turn(page.image, [[(20, 20), (51, 20), (51, 27), (20, 27)]], degrees)
            self.assertEqual(image.size, (200, 300) if degrees in (90, 270) else image.size)
            middle = [sum(values) / 4 for values in zip(*quad)]
            self.assertLess(image.getpixel((int(middle[0]), int(middle[1])))[0], 40)
            # The top edge goes in the direction of the turn.
            (x0, y0), (x1, y1) = quad[:2]
            self.assertAlmostEqual(math.degrees(math.atan2(y1 - y0, x1 - x0)) % 360, degrees % 360)

    def test_only_lines_that_both_have_are_in_order(self):
        self.assertTrue(turned.same_order([3, 1, 2], [3, 0, 1]))
        self.assertFalse(turned.same_order([3, 1, 2], [1, 3]))

    def test_noise_comes_from_its_seed(self):
        image = Page(40, 30, (128, 128, 128)).image
        noisy = degrade.add_noise(image, 5, [1, 2]).tobytes()
        self.assertEqual(degrade.add_noise(image, 5, [1, 2]).tobytes(), noisy)
        self.assertNotEqual(degrade.add_noise(image, 5, [1, 3]).tobytes(), noisy)

    def test_text_fits_the_page_for_many_seeds(self):
        for seed in range(20):
            for draw in ALL_KINDS.values():
                draw(Dice("room", seed))

    def test_the_tiny_models_know_every_character_but_kana(self):
        known = dictionary("tiny")
        if known is None:
            self.skipTest("the tiny models are not installed")
        for path in (HERE / "text.py", *(HERE / "pages").glob("*.py")):
            if path.name not in ("kana.py", "vertical.py"):
                self.assertEqual(set(path.read_text(encoding="utf-8")) - known - {" ", "\n"}, set(), path.name)

    def test_the_small_models_know_the_kana(self):
        known = dictionary("small")
        if known is None:
            self.skipTest("the small models are not installed")
        characters = {c for name in ("kana", "vertical")
                      for c in (HERE / "pages" / f"{name}.py").read_text(encoding="utf-8")}
        self.assertTrue(any(ord(c) in KANA for c in characters))
        self.assertEqual(characters - known - {" ", "\n"}, set())

    def test_another_version_of_a_font_is_refused_by_name(self):
        file = next(iter(fonts.FILES))
        package, sha256 = fonts.FILES[file]
        fonts.FILES[file] = (package, "0" * 64)
        try:
            found, complaints = fonts.check()
        finally:
            fonts.FILES[file] = (package, sha256)
        self.assertEqual(found[file], sha256)
        self.assertEqual(len(complaints), 1)
        self.assertRegex(complaints[0], f"{re.escape(file)}: SHA-256 is {sha256}, expected 0+ .*{package}")


if __name__ == "__main__":
    unittest.main()
