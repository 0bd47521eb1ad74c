"""Runs the examples of docs/server.md, with a server and a link to the command; by a Python that has requirements.txt."""
import os
import re
import shutil
import subprocess
import sys

import serving
import support

PAGE = support.ROOT / "docs" / "server.md"


def blocks(language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))


class ServeDocsTest(support.Case):

    @classmethod
    def setUpClass(cls):
        cls.server = serving.Server()
        cls.addClassCleanup(cls.server.__exit__)

    def setUp(self):
        super().setUp()
        shutil.copytree(support.ROOT / "samples", self.folder / "samples")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "inkread").symlink_to(support.command())
        self.env = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")

    def run_block(self, *command, text):
        # The commands under other names use the small models, which a page need not say.
        text = text.replace("localhost:8000", f"localhost:{self.server.port}")
        run = subprocess.run([*command, text], cwd=self.folder, env=self.env, capture_output=True,
                             timeout=support.TIMEOUT_S)
        self.assertEqual(run.returncode, 0, f"{text}\n{run.stdout[:500]}\n{run.stderr[:500]}")
        return run.stdout

    def test_every_command_does_what_the_page_says(self):
        found = blocks("sh")
        self.assertGreaterEqual(len(found), 7)
        for text in found:
            if "ln -s" in text and not support.has_models("small"):
                continue
            output = self.run_block("bash", "-euc", text=text)
            self.assertNotIn(b'{"error"', output, text)
            if "metrics" not in text:
                self.assertIn("墨读书店".encode(), output, text)
        self.assertEqual((self.folder / "searchable.pdf").read_bytes()[:5], b"%PDF-")
        if support.has_models("small"):
            for ending in ("hocr", "tsv", "pdf"):
                self.assertTrue((self.folder / f"out.{ending}").exists())

    def test_every_program_does_what_the_page_says(self):
        found = blocks("python")
        self.assertEqual(len(found), 2)
        (self.folder / "tesseract").symlink_to(support.command())
        for text in found:
            if "pytesseract" in text and not support.has_models("small"):
                continue
            self.assertIn("墨读书店".encode(), self.run_block(sys.executable, "-c", text=text), text)

    def test_every_parameter_and_limit_is_on_the_page(self):
        text = PAGE.read_text(encoding="utf-8")
        answer = self.server.post("/v1/ocr?unknown=1", b"x")
        for name in answer.error()["message"].split(" is none of ")[1].split(", "):
            self.assertIn(f"`{name}`", text)
        usage = support.inkread("serve", "--help").out
        limits = usage[usage.index("Limits:"):]
        for name in re.findall(r"(--[a-z-]+)", limits[:limits.index("Reading:")]):
            self.assertIn(f"`{name}`", text)


if __name__ == "__main__":
    if not shutil.which("curl"):
        print("skipped: no curl")
        sys.exit(support.SKIPPED)
    support.main()
