"""PDFs read by the command: pages that are images, pages that are drawn, and documents that cannot be read."""
import json
import shutil
import time

import support
from support import Case, SAMPLES, read


def pdf(*contents, box="0 0 300 100"):
    """A small PDF with a page for each content stream, with the font /F."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None]
    kids = []
    for content in contents:
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        kids.append(len(objects) + 1)
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents {len(objects)} 0 R /Resources "
                       "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>"
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    out += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Root 1 0 R /Size {len(objects) + 1} >>\n"
            f"startxref\n{len(out)}\n%%EOF\n")
    return out.encode()


def page_of(text):
    return f"BT /F 24 Tf 20 40 Td ({text}) Tj ET"


class DocumentsTest(Case):
    def lines(self, *arguments):
        finished = read("--jsonl", "--backend", "cpu", *arguments)
        return finished, [json.loads(line) for line in finished.out.splitlines()]

    @staticmethod
    def text(entry):
        return [line["text"] for line in entry["lines"]]

    def setUp(self):
        super().setUp()
        if shutil.which("pdftoppm") is None:
            self.skipTest("pdftoppm is not installed (Debian: poppler-utils)")

    def test_a_page_that_is_an_image_is_read_as_that_image(self):
        document = self.folder / "scan.pdf"
        self.assertEqual(read("--pdf", "--out", document, *SAMPLES[:2]).code, 0)
        finished, entries = self.lines(document)
        self.assertEqual(finished.code, 0, finished)
        for path, entry in zip(SAMPLES[:2], entries, strict=True):
            _, (image,) = self.lines(path)
            self.assertEqual(entry["lines"], image["lines"])
            self.assertEqual(entry["width"], image["width"])

    def test_other_pages_are_drawn(self):
        document = self.put("letter.pdf", pdf(page_of("Dear reader"), page_of("second page")))
        finished, entries = self.lines(document)
        self.assertEqual([self.text(entry) for entry in entries], [["Dear reader"], ["second page"]])
        self.assertEqual((entries[0]["width"], entries[0]["height"], entries[0]["pages"]), (834, 278, 2))
        _, (entry, _) = self.lines("--dpi", "100", document)
        self.assertEqual((entry["width"], entry["height"]), (417, 139))
        self.assertIn("Dear reader", read("-", stdin=document.read_bytes()).out)

    def test_pages_are_chosen(self):
        document = self.put("three.pdf", pdf(page_of("one"), page_of("two"), page_of("three")))
        _, entries = self.lines("--pages", "3,1-1", document)
        self.assertEqual([entry["page"] for entry in entries], [1, 3])
        self.assertEqual([self.text(entry) for entry in entries], [["one"], ["three"]])
        finished, (entry,) = self.lines("--pages", "7-", document)
        self.assertEqual(finished.code, 1)
        self.assertEqual(entry["error"]["message"], "none of its 3 pages is to be read: --pages 7-")

    def test_pages_with_a_text_layer_can_be_passed_over(self):
        document = self.put("mixed.pdf", pdf(page_of("has text"), "1 0 0 rg 20 20 50 50 re f"))
        _, entries = self.lines("--text-layer", "skip", document)
        self.assertEqual([entry["page"] for entry in entries], [2])
        _, entries = self.lines("--text-layer", "redo", document)
        self.assertEqual([entry["page"] for entry in entries], [1, 2])

    def test_a_bad_page_is_named_and_the_others_are_read(self):
        good = pdf(page_of("first"), page_of("second"))
        document = self.put("bad.pdf", good.replace(b"[0 0 300 100]", b"[0 0 0.0 100]", 1))
        finished, entries = self.lines(document)
        self.assertEqual(finished.code, 1)
        self.assertEqual(entries[0]["error"]["message"], "PDF: page 1 has no size")
        self.assertEqual(self.text(entries[1]), ["second"])

    def test_without_pdftoppm_the_package_is_named(self):
        document = self.put("letter.pdf", pdf(page_of("Dear reader")))
        finished = read(document, env={"PATH": "/nowhere"})
        self.assertEqual(finished.code, 1)
        self.assertIn("poppler-utils", finished.err)

    def test_hostile_documents_cost_little(self):
        many = self.put("many.pdf", pdf(*[page_of("one of many")] * 10_000))
        began = time.monotonic()
        finished, entries = self.lines("--pages", "9999", many)
        self.assertEqual([(entry["page"], entry["pages"]) for entry in entries], [(9999, 10_000)], finished)
        self.assertEqual(self.text(entries[0]), ["one of many"])
        self.assertLess(time.monotonic() - began, 60)  # no page is drawn for nothing; alone it takes 0.3 s
        deep = self.put("deep.pdf", pdf(page_of("deep")).replace(b"/Resources <<", b"/Deep " + b"[" * 100_000 + b" /Resources <<"))
        loop = self.put("loop.pdf", pdf(page_of("loop")).replace(b"/Kids [", b"/Kids [2 0 R "))
        huge = self.put("huge.pdf", pdf(page_of("huge"), box="0 0 1e9 1e9"))
        good = self.put("good.pdf", pdf(page_of("good")))
        finished, entries = self.lines(deep, loop, huge, good)
        self.assertEqual(len(entries), 4, finished)
        for path, entry in zip((deep, loop, huge), entries):
            self.assertEqual(entry["file"], str(path))
            self.assertTrue("error" in entry or "lines" in entry, entry)
        self.assertEqual(self.text(entries[3]), ["good"])

    def test_the_examples_of_the_page_run(self):
        (self.folder / "work").mkdir()
        for name, pages in (("letter", 1), ("report", 12), ("plans", 1), ("archive", 1)):
            self.put(f"work/{name}.pdf", pdf(*(page_of(f"{name} {page}") for page in range(pages))))
        blank = self.put("blank.png", support.png(200, 100))
        self.assertEqual(read("--pdf", "--out", self.folder / "work/scan.pdf", blank).code, 0)
        examples = [line for block in support.examples_of("documents.md") for line in block.splitlines()]
        self.assertGreater(len(examples), 3)
        for example in examples:
            with self.subTest(example):
                run = self.run_example(example)
                if "skip" in example:  # each page of archive.pdf has text
                    self.assertEqual(run.returncode, 1, run)
                    self.assertIn(b"text", run.stderr)
                else:
                    self.assertEqual((run.returncode, run.stderr), (0, b""))


if __name__ == "__main__":
    support.main()
