#!/usr/bin/env python3
"""Each format, checked by a program of its own, and where words stand in it: formats_test.py INKREAD

The Python that runs it needs requirements.txt. INKREAD_ALTO_XSD names ALTO's schema, alto-4-4.xsd of the Library of
Congress; without it that check is skipped.
"""
import base64
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import support
from support import Case, read, sample

try:
    import jsonschema
    import pytesseract
    from lxml import etree
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; ./dev test has an environment with tests/e2e/requirements.txt")
    sys.exit(support.SKIPPED)

PX_PER_POINT = 300 / 72  # of images that state no resolution
DPI_OF_SCAN = 150


def askew(name, degrees):
    """A sample turned clockwise by a few degrees, on white."""
    image = Image.open(io.BytesIO(sample(name))).convert("RGB")
    out = io.BytesIO()
    image.rotate(-degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white").save(out, "PNG")
    return out.getvalue()


def box_of(quad):
    xs, ys = zip(*quad)
    return min(xs), min(ys), max(xs), max(ys)


def quads_of_json(text):
    """(page, text, quad) of each word; pages count from 1, failed ones too."""
    return [(number, word["text"], [tuple(corner) for corner in word["quad"]])
            for number, image in enumerate(json.loads(text)["images"], 1)
            for line in image.get("lines", ()) for word in line["words"]]


def words_of_tsv(text):
    header, *rows = (line.split("\t") for line in text.splitlines())
    for row in (dict(zip(header, row, strict=True)) for row in rows):
        if row["level"] == "5":
            left, top = int(row["left"]), int(row["top"])
            yield int(row["page_num"]), row["text"], (left, top, left + int(row["width"]), top + int(row["height"]))


def words_of_hocr(text):
    for page in xml.etree.ElementTree.fromstring(text).iterfind(".//*[@class='ocr_page']"):
        for word in page.iterfind(".//*[@class='ocrx_word']"):
            box = re.match(r"bbox (\d+) (\d+) (\d+) (\d+); x_wconf \d+$", word.get("title"))
            yield int(page.get("id").removeprefix("page_")), word.text, tuple(map(int, box.groups()))


def words_of_alto(text):
    """With the corners of the shape, which say more than the box."""
    for page in xml.etree.ElementTree.fromstring(text).iterfind(".//{*}Page"):
        for word in page.iterfind(".//{*}String"):
            points = [tuple(map(int, point.split(","))) for point in word.find(".//{*}Polygon").get("POINTS").split()]
            left, top = int(word.get("HPOS")), int(word.get("VPOS"))
            box = left, top, left + int(word.get("WIDTH")), top + int(word.get("HEIGHT"))
            assert box == box_of(points), (box, points)
            yield int(page.get("PHYSICAL_IMG_NR")), word.get("CONTENT"), points


class PdfObjects:
    """The objects of a PDF, by qpdf."""

    def __init__(self, path):
        plain = subprocess.run(["qpdf", "--json", "--json-stream-data=inline", "--decode-level=all", path],
                               check=True, capture_output=True).stdout
        self.objects = json.loads(plain)["qpdf"][1]

    def pages(self):
        root = self.value(self.objects["trailer"]["value"]["/Root"])
        return [self.value(kid) for kid in self.value(root["/Pages"])["/Kids"]]

    def value(self, reference):
        return self.objects[f"obj:{reference}"]["value"]

    def data(self, reference):
        return base64.b64decode(self.objects[f"obj:{reference}"]["stream"]["data"]).decode("latin-1")

    def texts_of_font(self, font):
        """What each code stands for, both as the hexadecimal digits and the text."""
        codes = re.findall(r"<(\w\w)> <(\w{4,})>", self.data(self.value(font)["/ToUnicode"]))
        return {code: bytes.fromhex(text).decode("utf-16-be") for code, text in codes}


def words_of_pdf(path):
    """For each page (text, quad in points from the page's top left) of each word, as the page's operators place it."""
    pdf = PdfObjects(path)
    for page in pdf.pages():
        fonts = {name: pdf.texts_of_font(font) for name, font in pdf.value(page["/Resources"]["/Font"]).items()}
        content = pdf.data(page["/Contents"])
        scale = float(content.split()[0])
        words = []
        for line in (line for line in content.splitlines() if " Tm " in line):
            matrix, shown = line.split(" Tm ")
            a, b, c, d, x, y = map(float, matrix.split())
            glyphs = [fonts[name][code] for name, codes in re.findall(r"(/F\d+) 1 Tf <(\w+)>", shown)
                      for code in re.findall("..", codes)]
            if glyphs == [" "]:
                continue
            right, down = a * len(glyphs) / 2, b * len(glyphs) / 2  # a glyph is half as wide as high
            quad = [(x + c, y + d), (x + c + right, y + d + down), (x + right, y + down), (x, y)]
            words.append(("".join(glyphs), [(px * scale, py * scale) for px, py in quad]))
        yield words


class FormatsTest(Case):
    """One run writes everything that is looked at."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="inkread_formats_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder_of_all = pathlib.Path(folder.name)

        def put(name, content):
            (cls.folder_of_all / name).write_bytes(content)
            return cls.folder_of_all / name

        columns = sample("columns")
        cls.bad = put("bad.png", b"")
        cls.pages = [put("upright.png", columns),
                     *(put(f"turned{d}.png", support.turned(columns, d)) for d in (90, 180, 270)),
                     *(put(f"askew{d}.png", askew("columns", d)) for d in (3, 10))]
        cls.paths = [*support.SAMPLES, cls.bad, *cls.pages]
        flags = ["--json", "--jsonl", "--tsv", "--hocr", "--alto", "--pdf"]
        cls.finished = read(*flags, "--out", cls.folder_of_all / "all", *cls.paths)
        cls.words = quads_of_json(cls.written("json"))

    @classmethod
    def path(cls, ending):
        return cls.folder_of_all / f"all.{ending}"

    @classmethod
    def written(cls, ending):
        return cls.path(ending).read_text(encoding="utf-8")

    def need(self, *tools):
        for tool in tools:
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed (Debian: qpdf, poppler-utils)")

    def test_the_run_names_the_file_that_is_no_image(self):
        self.assertEqual(self.finished.code, 1, self.finished)
        self.assertGreater(len(self.words), 500)

    def test_json_is_what_its_schema_says(self):
        schema = json.loads((support.ROOT / "docs" / "reading.schema.json").read_text())
        document = jsonschema.Draft202012Validator(schema)
        page = jsonschema.Draft202012Validator({"$ref": "#/$defs/page", "$defs": schema["$defs"]})
        document.validate(json.loads(self.written("json")))
        for line in self.written("jsonl").splitlines():
            page.validate(json.loads(line))
        for options in ((), ("--words", "--chars", "--no-times"), ("--official", "--cls")):
            document.validate(read("--json", *options, support.SAMPLES[-1], self.bad).json())
        broken = json.loads(self.written("json"))
        broken["images"][0]["lines"][0]["score"] = 2
        self.assertFalse(document.is_valid(broken))

    def test_a_table_is_read_by_pytesseract(self):
        rows = pytesseract.pytesseract.file_to_dict(self.written("tsv"), "\t", -1)
        self.assertEqual([text for text in rows["text"] if text], [text for _, text, _ in self.words])

    def test_hocr_is_valid(self):
        checker = os.path.join(os.path.dirname(sys.executable), "hocr-spec")
        checked = subprocess.run([checker, self.path("hocr")], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_hocr_that_is_not_valid_is_noticed(self):
        checker = os.path.join(os.path.dirname(sys.executable), "hocr-spec")
        broken = self.put("broken.hocr", self.written("hocr").replace("bbox", "box").encode())
        self.assertNotEqual(subprocess.run([checker, broken], capture_output=True).returncode, 0)

    def test_alto_is_read_by_alto_tools(self):
        alto_tools = os.path.join(os.path.dirname(sys.executable), "alto-tools")
        text = subprocess.run([alto_tools, "-t", self.path("xml")], capture_output=True, text=True, check=True).stdout
        self.assertEqual("".join(text.split()), "".join(text for _, text, _ in self.words))

    def test_alto_is_valid(self):
        root = etree.parse(self.path("xml"))
        ids = root.xpath("//@ID")
        self.assertEqual(len(ids), len(set(ids)))
        # Without a page a layout is not valid.
        none_read = etree.fromstring(read("--alto", self.bad).out.encode())
        self.assertEqual(len(none_read.findall(".//{*}Page")), 1)
        schema = os.environ.get("INKREAD_ALTO_XSD")
        if not schema:
            self.skipTest("INKREAD_ALTO_XSD names no alto-4-4.xsd")
        valid = etree.XMLSchema(etree.parse(schema))
        valid.assertValid(root)
        valid.assertValid(none_read)

    def test_words_stand_where_they_stand_in_json(self):
        boxes = [(page, text, box_of(quad)) for page, text, quad in self.words]
        self.assertEqual(list(words_of_tsv(self.written("tsv"))), boxes)
        self.assertEqual(list(words_of_hocr(self.written("hocr"))), boxes)
        self.assertEqual(list(words_of_alto(self.written("xml"))), self.words)

    def words_by_page(self):
        """Of the pages that were read, in order."""
        pages = {}
        for number, text, quad in self.words:
            pages.setdefault(number, []).append((text, quad))
        return list(pages.values())

    def test_words_of_a_pdf_stand_where_they_stand_in_json(self):
        self.need("qpdf")
        subprocess.run(["qpdf", "--check", self.path("pdf")], check=True, capture_output=True)
        for expected, found in zip(self.words_by_page(), words_of_pdf(self.path("pdf")), strict=True):
            self.assertEqual([word[0] for word in found], [word[0] for word in expected])
            for (text, quad), (_, place) in zip(expected, found):
                # Three corners are placed; the fourth follows, where a quad is a parallelogram.
                corners = [(x * PX_PER_POINT, y * PX_PER_POINT) for x, y in place]
                nearest = sorted(min(max(abs(x - px), abs(y - py)) for px, py in corners) for x, y in quad)
                self.assertLess(nearest[2], 1, (text, quad, corners))
                self.assertLess(nearest[3], 4, (text, quad, corners))

    def test_pdftotext_finds_the_words(self):
        self.need("pdftotext")
        first = len(support.SAMPLES)  # the pages of Latin text; Han and kana are put together by pdftotext
        text = subprocess.run(["pdftotext", "-bbox", "-f", str(first + 1), self.path("pdf"), "-"], check=True,
                              capture_output=True, text=True).stdout
        pages = xml.etree.ElementTree.fromstring(text).findall(".//{*}page")
        for path, page, expected in zip(self.pages, pages, self.words_by_page()[first:], strict=True):
            found = [(word.text, tuple(float(word.get(side)) * PX_PER_POINT for side in ("xMin", "yMin", "xMax", "yMax")))
                     for word in page.iterfind("{*}word")]
            self.assertEqual(sorted(word[0] for word in found), sorted(word[0] for word in expected), path)
            if path.name.startswith("askew"):
                continue  # pdftotext gives boxes as of upright text
            for text, quad in expected:
                self.assertLess(min(max(abs(a - b) for a, b in zip(box_of(quad), other[1]))
                                    for other in found if other[0] == text), 1, (path, text))

    def test_a_pdf_loses_no_character_of_a_vertical_line(self):
        self.need("pdftotext")
        number = [path.stem for path in support.SAMPLES].index("vertical") + 1
        found = subprocess.run(["pdftotext", "-f", str(number), "-l", str(number), self.path("pdf"), "-"], check=True,
                               capture_output=True, text=True).stdout
        self.assertEqual(sorted("".join(found.split())),
                         sorted("".join(text for page, text, _ in self.words if page == number)))

    def sizes_of_pages(self, *paths):
        """Width and height in points of each page of the PDF that is written."""
        target = self.folder / "sized.pdf"
        self.assertEqual(read("--pdf", "--out", target, *paths).code, 0)
        return [page["/MediaBox"][2:] for page in PdfObjects(target).pages()]

    def test_pages_of_a_pdf_are_as_large_as_the_resolution_says(self):
        self.need("qpdf")
        paths, image = [], Image.new("RGB", (200, 50), "white")
        for name, options in (("a.png", {"dpi": (100, 100)}), ("b.jpg", {"dpi": (100, 100)}),
                              ("c.tif", {"dpi": (100, 100)}), ("d.tif", {"resolution_unit": 3, "x_resolution": 100,
                                                                        "y_resolution": 100}),
                              ("e.png", {"dpi": (3, 3)}), ("f.png", {})):
            paths.append(self.folder / name)
            image.save(paths[-1], **options)
        sizes = self.sizes_of_pages(*paths)
        for found, dpi in zip(sizes, (100, 100, 100, 254, 300, 300), strict=True):
            for side, px in zip(found, (200, 50)):
                self.assertAlmostEqual(side, px * 72 / dpi, places=1)
        # A PDF's pages keep their size.
        self.assertEqual(read("--pdf", "--out", self.folder / "first.pdf", *paths[:1]).code, 0)
        self.assertEqual(self.sizes_of_pages(self.folder / "first.pdf"), sizes[:1])

    def scan(self):
        """A PDF of five pages: one image four times, stored turned and turned back by /Rotate, and a page with text; with
        a title and an attachment."""
        image = Image.open(io.BytesIO(sample("columns"))).convert("RGB")
        first, *others = (image.rotate(degrees, expand=True) for degrees in (0, 90, 180, 270))
        first.save(self.folder / "plain.pdf", save_all=True, append_images=others, resolution=DPI_OF_SCAN, quality=95,
                   title="kept title")
        self.assertEqual(read("--pdf", "--out", self.folder / "text.pdf", support.SAMPLES[-1]).code, 0)
        attached = self.put("note.txt", b"kept note")
        subprocess.run(["qpdf", self.folder / "plain.pdf", "--rotate=90:2", "--rotate=180:3", "--rotate=270:4",
                        "--add-attachment", attached, "--", "--pages", ".", self.folder / "text.pdf", "--",
                        self.folder / "scan.pdf"], check=True)
        return self.folder / "scan.pdf"

    def images_of(self, document):
        folder = self.folder / f"images_of_{document.stem}"
        folder.mkdir()
        subprocess.run(["pdfimages", "-all", document, folder / "i"], check=True)
        return [path.read_bytes() for path in sorted(folder.iterdir())]

    def test_a_document_is_kept_and_gets_a_text_layer(self):
        self.need("qpdf", "pdftotext")
        document, target = self.scan(), self.folder / "kept.pdf"
        finished = read("--text-layer", "keep", "--pdf", "--json", "--out", self.folder / "kept", document)
        self.assertEqual(finished.code, 0, finished)
        subprocess.run(["qpdf", "--check", target], check=True, capture_output=True)
        words = quads_of_json((self.folder / "kept.json").read_text())
        self.assertEqual({page for page, _, _ in words}, {1, 2, 3, 4})
        text = subprocess.run(["pdftotext", "-bbox", target, "-"], check=True, capture_output=True, text=True).stdout
        pages = xml.etree.ElementTree.fromstring(text).findall(".//{*}page")
        for number, page in enumerate(pages[:4], 1):
            found = [(word.text, [float(word.get(side)) * DPI_OF_SCAN / 72 for side in ("xMin", "yMin", "xMax", "yMax")])
                     for word in page.iterfind("{*}word")]
            expected = [(text, box_of(quad)) for where, text, quad in words if where == number]
            self.assertEqual(sorted(word[0] for word in found), sorted(word[0] for word in expected), number)
            for text, box in expected:
                self.assertLess(min(max(abs(a - b) for a, b in zip(box, other[1]))
                                    for other in found if other[0] == text), 1.5, (number, text))
        # The fifth page had text already.
        before = subprocess.run(["pdftotext", "-f", "5", document, "-"], check=True, capture_output=True).stdout
        self.assertEqual(subprocess.run(["pdftotext", "-f", "5", target, "-"], check=True, capture_output=True).stdout,
                         before)
        self.assertEqual(self.images_of(target), self.images_of(document))
        about = subprocess.run(["pdfinfo", target], check=True, capture_output=True, text=True).stdout
        self.assertIn("kept title", about)
        note = subprocess.run(["qpdf", "--show-attachment=note.txt", target], check=True, capture_output=True).stdout
        self.assertEqual(note, b"kept note")
        again = read("--text-layer", "keep", "--pdf", "--out", self.folder / "again.pdf", target)
        self.assertIn("none of its 5 pages is to be read", again.err)

    def test_only_a_document_can_be_kept(self):
        for arguments in (("--pdf", support.SAMPLES[0]), ("--json", self.path("pdf")),
                          ("--pdf", self.path("pdf"), self.path("pdf"))):
            finished = read("--text-layer", "keep", *arguments, "--out", self.folder / "x")
            self.assertEqual(finished.code, 2, finished)
            self.assertIn("--text-layer keep", finished.err)

    def test_the_examples_of_the_page_run(self):
        image = Image.open(io.BytesIO(sample("receipt"))).convert("RGB")
        (self.folder / "work").mkdir()
        image.save(self.folder / "work" / "scan.jpg")
        for example in support.examples_of("formats.md"):
            run = self.run_example(example)
            self.assertEqual((run.returncode, run.stderr), (0, b""))
        written = {path.name for path in (self.folder / "work").iterdir()}
        self.assertLessEqual({"scan.json", "scan.pdf", "scan.hocr"}, written)


if __name__ == "__main__":
    support.main()
