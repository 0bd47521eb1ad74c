#!/usr/bin/env python3
"""Tests of result.py: scoring, summary and validation, on cases small enough to count by hand."""
import json
import os
import tempfile
import unittest

import result


def box(x, y, w, h):
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def line(text, quad):
    return {"text": text, "score": 0.9, "quad": quad}


def image(file, ms, lines):
    return {"file": file, "width": 100, "height": 100, "ms": ms, "stages": {}, "lines": lines}


class IntersectionOverUnionTest(unittest.TestCase):
    def test_equal_disjoint_and_half(self):
        self.assertAlmostEqual(result.intersection_over_union(box(0, 0, 10, 10), box(0, 0, 10, 10)), 1.0)
        self.assertEqual(result.intersection_over_union(box(0, 0, 10, 10), box(20, 0, 10, 10)), 0.0)
        self.assertAlmostEqual(result.intersection_over_union(box(0, 0, 10, 10), box(0, 0, 10, 5)), 0.5)
        self.assertAlmostEqual(result.intersection_over_union(box(0, 0, 10, 10), box(5, 0, 10, 10)), 50 / 150)

    def test_a_diamond_in_a_square(self):
        diamond = [[5, 0], [10, 5], [5, 10], [0, 5]]
        self.assertAlmostEqual(result.intersection_over_union(diamond, box(0, 0, 10, 10)), 0.5)

    def test_direction_of_the_corners_does_not_matter(self):
        self.assertAlmostEqual(result.intersection_over_union(box(0, 0, 10, 10)[::-1], box(0, 0, 10, 5)), 0.5)

    def test_a_quad_without_area(self):
        self.assertEqual(result.intersection_over_union(box(0, 0, 0, 10), box(0, 0, 10, 10)), 0.0)


class EditsTest(unittest.TestCase):
    def test_counts(self):
        for a, b, wanted in (
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("合计", "合汁", 1),
        ):
            self.assertEqual(result.edits(a, b), wanted, (a, b))


class ScoreTest(unittest.TestCase):
    def score(self, found, truth, form="raw"):
        return result.score_image(found, truth)[form]

    def test_an_exact_line(self):
        self.assertEqual(self.score([line("abc", box(1, 0, 29, 10))], [line("abc", box(0, 0, 30, 10))]), (1, 0, 3))

    def test_a_wrong_character(self):
        self.assertEqual(self.score([line("abd", box(0, 0, 30, 10))], [line("abc", box(0, 0, 30, 10))]), (0, 1, 3))

    def test_a_line_not_found_is_deleted(self):
        truth = [line("abc", box(0, 0, 30, 10)), line("defg", box(0, 50, 30, 10))]
        self.assertEqual(self.score([line("abc", box(0, 0, 30, 10))], truth), (1, 4, 7))

    def test_a_found_line_without_truth_is_inserted(self):
        found = [line("abc", box(0, 0, 30, 10)), line("xy", box(0, 50, 30, 10))]
        self.assertEqual(self.score(found, [line("abc", box(0, 0, 30, 10))]), (1, 2, 3))

    def test_right_text_at_the_wrong_place_counts_twice(self):
        self.assertEqual(self.score([line("abc", box(0, 50, 30, 10))], [line("abc", box(0, 0, 30, 10))]), (0, 6, 3))

    def test_half_is_enough_and_less_is_not(self):
        truth = [line("abc", box(0, 0, 30, 10))]
        self.assertEqual(self.score([line("abc", box(0, 0, 15, 10))], truth), (1, 0, 3))
        self.assertEqual(self.score([line("abc", box(0, 0, 14, 10))], truth), (0, 6, 3))

    def test_two_found_lines_are_joined_left_to_right(self):
        found = [line("cd", box(20, 0, 20, 10)), line("ab", box(0, 0, 20, 10))]
        self.assertEqual(self.score(found, [line("abcd", box(0, 0, 40, 10))]), (1, 0, 4))

    def test_two_found_lines_of_a_tall_line_are_joined_downwards(self):
        found = [line("下", box(0, 20, 10, 20)), line("上", box(0, 0, 10, 20))]
        self.assertEqual(self.score(found, [line("上下", box(0, 0, 10, 40))]), (1, 0, 2))

    def test_upside_down_text_is_joined_from_its_own_left(self):
        found = [line("ab", box(20, 0, 20, 10)), line("cd", box(0, 0, 20, 10))]
        turned = [[40, 10], [0, 10], [0, 0], [40, 0]]
        self.assertEqual(self.score(found, [line("abcd", turned)]), (1, 0, 4))

    def test_nfkc_without_spaces(self):
        found, truth = [line("Ａ　B\u00a0：1", box(0, 0, 30, 10))], [line("AB:1", box(0, 0, 30, 10))]
        self.assertEqual(self.score(found, truth), (0, 4, 4))
        self.assertEqual(self.score(found, truth, "nfkc"), (1, 0, 4))

    def test_an_empty_found_line_is_not_exact(self):
        self.assertEqual(self.score([], [line("", box(0, 0, 30, 10))]), (0, 0, 0))


class SummaryTest(unittest.TestCase):
    def test_times(self):
        summary = result.summarise([image(f"{i}.png", float(i), []) for i in range(1, 21)])
        self.assertEqual([summary[k] for k in ("images", "mean_ms", "median_ms", "p95_ms")], [20, 10.5, 10.5, 19.0])
        self.assertAlmostEqual(summary["images_per_s"], 20 / 0.210)
        self.assertIsNone(summary["cer"])

    def test_side_by_side_counts_wall_time(self):
        self.assertEqual(
            result.summarise([image("a", 500.0, []), image("b", 500.0, [])], seconds=0.5)["images_per_s"], 4.0
        )

    def test_accuracy(self):
        quad = box(0, 0, 30, 10)
        truth = {"a.png": [line("abc", quad)], "b.png": [line("de", quad)]}
        summary = result.summarise(
            [image("in/a.png", 1.0, [line("abc", quad)]), image("in/b.png", 1.0, [line("d e", quad)])], truth
        )
        self.assertEqual(
            [
                summary[k]
                for k in (
                    "truth_lines",
                    "lines",
                    "exact_lines",
                    "exact_images",
                    "exact_lines_nfkc",
                    "exact_images_nfkc",
                )
            ],
            [2, 2, 1, 1, 2, 2],
        )
        self.assertEqual((summary["cer"], summary["cer_nfkc"]), (1 / 5, 0.0))

    def test_order(self):
        lines = [line(text, box(0, 20 * n, 30, 10)) for n, text in enumerate("abcd")]
        a, b, c, d = lines
        stray = line("x", box(200, 0, 30, 10))
        for found, share in (([a, b, c, d], 1.0), ([a, c, b, d], 0.0), ([c, d, a, b], 2 / 3), ([a, stray, b, d], 1.0),
                             ([a], None), ([], None)):
            with self.subTest(found=[line["text"] for line in found]):
                summary = result.summarise([image("a", 1.0, found)], {"a": lines})
                self.assertEqual(summary["pairs_in_order"], share)
        self.assertIsNone(result.summarise([image("a", 1.0, lines)])["pairs_in_order"])

    def test_an_extra_found_line_makes_an_image_inexact(self):
        quad = box(0, 0, 30, 10)
        summary = result.summarise(
            [image("a", 1.0, [line("abc", quad), line("x", box(0, 50, 9, 9))])], {"a": [line("abc", quad)]}
        )
        self.assertEqual((summary["exact_lines"], summary["exact_images"]), (1, 0))

    def test_an_image_that_the_truth_does_not_name(self):
        with self.assertRaisesRegex(result.Invalid, "c.png"):
            result.summarise([image("c.png", 1.0, [])], {})


class FormatTest(unittest.TestCase):
    def reading(self):
        images = [image("a.png", 1.5, [line("abc", box(0, 0, 30, 10))])]
        engine = {
            "name": "x",
            "version": "1",
            "size": "tiny",
            "profile": None,
            "precision": "f32",
            "backend": "cpu",
            "threads": 1,
            "workers": 1,
            "settings": None,
        }
        return {
            "schema": 2,
            "machine": result.machine(),
            "engine": engine,
            "images": images,
            "summary": result.summarise(images),
        }

    def test_what_is_saved_is_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.json")
            result.save(self.reading(), path)
            self.assertEqual(result.load(path), self.reading())
            self.assertEqual(os.listdir(folder), ["x.json"])

    def test_faults_are_named(self):
        def broken(change):
            document = self.reading()
            change(document)
            return json.loads(json.dumps(document))

        faults = [
            (lambda d: d.update(schema=1), "schema"),
            (lambda d: d["machine"].pop("cpu"), r"machine\.cpu is missing"),
            (lambda d: d["engine"].update(threads="2"), r"engine\.threads: expected int"),
            (lambda d: d["engine"].update(name=None), r"engine\.name"),
            (lambda d: d["images"][0].update(ms=True), r"images\[0\]\.ms"),
            (lambda d: d["images"][0].update(ms=float("nan")), "finite"),
            (lambda d: d["images"][0]["lines"][0]["quad"].pop(), "4 corners"),
            (lambda d: d["images"][0]["lines"][0]["quad"][2].append(3), "3 numbers"),
            (lambda d: d["summary"].pop("cer"), r"summary\.cer is missing"),
        ]
        for change, message in faults:
            with self.assertRaisesRegex(result.Invalid, message):
                result.validate(broken(change))

    def test_a_wrong_document_is_not_written(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(result.Invalid):
                result.save({"schema": 2}, os.path.join(folder, "x.json"))
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
