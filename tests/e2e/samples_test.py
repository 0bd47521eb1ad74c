#!/usr/bin/env python3
"""The project's own images, read by the command: samples_test.py INKREAD [--update]

samples/NAME.expected.txt      the text by size; --update writes it anew
samples/NAME.official.json     what the official pipeline finds; tools/make_official.py writes it
"""
import json

import support
from support import SAMPLES, SIZES, Case, read, without_times

DET_SCORE_LIMIT = 1e-4
SCORE_LIMIT = 1e-3


def sections(texts):
    """The file's form: `== SIZE ==` and its lines for each size."""
    return "".join(f"== {size} ==\n{text}" for size, text in texts.items())


def read_sections(content):
    texts, size = {}, None
    for line in content.splitlines(keepends=True):
        if line.startswith("== ") and line.endswith(" ==\n"):
            size = line[3:-4]
            texts[size] = ""
        else:
            texts[size] += line
    return texts


class SamplesTest(Case):
    def setUp(self):
        super().setUp()
        self.assertGreater(len(SAMPLES), 0)

    def require_models(self, size):
        if not support.has_models(size):
            self.skipTest(f"no models at {support.models_folder() / size}")

    def check_texts(self, size):
        self.require_models(size)
        for image in SAMPLES:
            with self.subTest(image=image.name):
                finished = read(str(image), size=size)
                self.assertEqual((finished.code, finished.err), (0, ""), finished)
                file = image.with_suffix(".expected.txt")
                expected = read_sections(file.read_text(encoding="utf-8")) if file.exists() else {}
                if support.is_update():
                    expected[size] = finished.out
                    ordered = {name: expected[name] for name in SIZES if name in expected}
                    file.write_text(sections(ordered), encoding="utf-8")
                self.assertEqual(finished.out, expected.get(size))

    def test_tiny_reads_the_expected_text(self):
        self.check_texts("tiny")

    def test_small_reads_the_expected_text(self):
        self.check_texts("small")

    def check_official(self, size):
        self.require_models(size)
        for image in SAMPLES:
            with self.subTest(image=image.name):
                golden = json.loads(image.with_suffix(".official.json").read_text(encoding="utf-8"))[size]
                finished = read("--official", "--json", str(image), size=size)
                self.assertEqual(finished.code, 0, finished)
                document = finished.json()
                [entry] = self.check_document(document, size)
                self.assertTrue(document["engine"]["official"])
                self.assertEqual([line["quad"] for line in entry["lines"]], [line["quad"] for line in golden])
                self.assertEqual([line["text"] for line in entry["lines"]], [line["text"] for line in golden])
                for ours, theirs in zip(entry["lines"], golden):
                    self.assertAlmostEqual(ours["det_score"], theirs["det_score"], delta=DET_SCORE_LIMIT)
                    self.assertAlmostEqual(ours["score"], theirs["score"], delta=SCORE_LIMIT)

    def test_tiny_gives_the_official_boxes_and_texts(self):
        self.check_official("tiny")

    def test_small_gives_the_official_boxes_and_texts(self):
        self.check_official("small")

    def test_the_official_order_is_there_without_the_other_official_results(self):
        image = support.ROOT / "samples" / "columns.png"
        golden = json.loads(image.with_suffix(".official.json").read_text(encoding="utf-8"))["tiny"]
        reader, official = read("--jsonl", str(image)).json(), read("--jsonl", "--order", "official", str(image)).json()
        self.assertEqual([line["quad"] for line in official["lines"]], [line["quad"] for line in golden])
        self.assertNotEqual(reader["lines"], official["lines"])
        by_text = lambda entry: sorted(entry["lines"], key=lambda line: line["text"])
        self.assertEqual(by_text(reader), by_text(official), "the lines themselves are the same")
        refused = read("--order", "columns", str(image))
        self.assertEqual(refused.code, 2, refused)
        self.assertIn("'columns' is none of reader, official", refused.err)

    def test_threads_and_company_change_nothing(self):
        images = [str(image) for image in SAMPLES]
        asked = ("--words", "--chars")
        alone = [json.loads(read("--jsonl", "--threads", "1", *asked, image).out) for image in images]
        expected = [json.dumps(without_times(entry)) for entry in alone]
        for threads in ("1", "2", "4"):
            with self.subTest(threads=threads):
                finished = read("--json", "--threads", threads, *asked, *images)
                self.assertEqual(finished.code, 0, finished)
                entries = self.check_document(finished.json(), parts=("words", "chars"))
                found = [json.dumps(without_times(entry)) for entry in entries]
                self.assertEqual(found, expected)

    def test_words_run_as_their_lines_on_turned_pages_too(self):
        def along(quad, p, q):
            """How far q is from p along the first edge of the quad."""
            return sum((quad[1][k] - quad[0][k]) * (q[k] - p[k]) for k in (0, 1))

        self.require_models("small")
        middle = lambda quad: [sum(corner[k] for corner in quad) / 4 for k in (0, 1)]
        for degrees in (90, 180, 270):
            image = self.put(f"{degrees}.png", support.turned(support.sample("receipt"), degrees))
            [entry] = read("--json", "--words", str(image), size="small").json()["images"]
            for line in entry["lines"]:
                with self.subTest(degrees=degrees, line=line["text"]):
                    words = [word["quad"] for word in line["words"]]
                    for quad in words:
                        self.assertGreater(along(line["quad"], *quad[:2]), 0)
                    for before, after in zip(words, words[1:]):
                        self.assertGreater(along(line["quad"], middle(before), middle(after)), 0)

    def test_words_change_nothing_else(self):
        for image in SAMPLES:
            with self.subTest(image=image.name):
                plain, asked = (read("--json", *options, str(image)).json()["images"][0]
                                for options in ((), ("--words", "--chars")))
                for line in asked["lines"]:
                    del line["words"], line["chars"]
                self.assertEqual(without_times(asked), without_times(plain))

    def test_upright_lines_stay_as_they_are_with_the_classifier(self):
        image = str(support.ROOT / "samples" / "receipt.png")
        plain, looked = read("--json", image).json(), read("--json", "--cls", image).json()
        self.assertEqual(without_times(looked["images"][0]), without_times(plain["images"][0]))

    def test_a_turned_page_is_read_like_an_upright_one(self):
        # The recogniser reads characters that lie on their left side, so nothing tells columns turned by 270 degrees
        # from lines.
        unseen = ("vertical.png", 270)
        for size in SIZES:
            self.require_models(size)
            for image in SAMPLES:
                upright = read("--json", str(image), size=size).json()["images"][0]
                for degrees in (90, 180, 270):
                    with self.subTest(size=size, image=image.name, degrees=degrees):
                        file = self.put(image.name, support.turned(image.read_bytes(), degrees))
                        [entry] = self.check_document(read("--json", str(file), size=size).json(), size)
                        if (image.name, degrees) == unseen:
                            self.assertEqual(sorted(line["text"] for line in entry["lines"]),
                                             sorted(line["text"] for line in upright["lines"]))
                            continue
                        self.assertAlmostEqual(entry["turned"], upright["turned"] + degrees, places=3)
                        width, height = entry["width"], entry["height"]
                        to_stored = {90: lambda x, y: [width - y, x], 180: lambda x, y: [width - x, height - y],
                                     270: lambda x, y: [y, height - x]}[degrees]
                        for line in upright["lines"]:
                            line["turned_quad"] = [to_stored(x, y) for x, y in line["quad"]]
                        found = [(line["text"], line["score"], line["quad"]) for line in entry["lines"]]
                        expected = [(line["text"], line["score"], line["turned_quad"]) for line in upright["lines"]]
                        self.assertEqual(found, expected)

    def test_the_official_pipeline_reads_an_image_on_its_head_only_with_the_classifier(self):
        self.require_models("small")
        turned = self.put("turned.png", support.turned(support.sample("receipt"), 180))
        upright = read("--official", str(support.ROOT / "samples" / "receipt.png"), size="small").out.splitlines()
        without = set(read("--official", str(turned), size="small").out.splitlines()) & set(upright)
        self.assertLessEqual(without, {"14:05"})  # reads the same both ways up
        found = read("--official", "--cls", str(turned), size="small").out.splitlines()
        # From the last line to the first; the order within a row is the detector's matter.
        self.assertEqual(sorted(found), sorted(upright))
        self.assertEqual((found[0], found[-1]), (upright[-1], upright[0]))


if __name__ == "__main__":
    support.main()
