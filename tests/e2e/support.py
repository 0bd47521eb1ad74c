"""What the end-to-end tests share: running the command, making images, checking its JSON.

Each test file is a program: FILE_test.py INKREAD [--update] [unittest's arguments]. INKREAD is the command to test. It
exits with 77, which ctest shows as skipped, where no models are.
"""
import functools
import json
import os
import pathlib
import re
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*.png"))
SIZES = ("tiny", "small")
SKIPPED = 77
TIMEOUT_S = 300

_command = None
_update = False


class Finished:
    """A run that has ended: exit code, and what it wrote."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"exit code {self.code}\nstdout: {self.out}\nstderr: {self.err}"


def command():
    return _command


def is_update():
    return _update


def inkread(*arguments, stdin=b"", cwd=None, env=None):
    run = subprocess.run([_command, *map(os.fsencode, arguments)], input=stdin, capture_output=True, cwd=cwd,
                         timeout=TIMEOUT_S, env=dict(os.environ, **env) if env else None)
    return Finished(run.returncode, run.stdout.decode(), run.stderr.decode(errors="replace"))


def read(*arguments, size="tiny", **options):
    return inkread("read", "--size", size, *arguments, **options)


@functools.cache
def backends():
    """The names of the backends that read, as the command knows them."""
    names = inkread("read", "--backend", "?", "x.png").err.split(" is none of ")[1].splitlines()[0]
    return [name for name in names.split(", ") if name != "auto"]


def models_folder():
    """Where the command looks for models of all sizes."""
    return pathlib.Path(inkread("models", "path").out.rstrip("\n"))


def has_models(size):
    return (models_folder() / size / "settings.txt").exists()


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, header_only=False):
    """A white image of one byte a pixel; `header_only`: its size is all that is true of it."""
    pixels = b"" if header_only else (b"\0" + b"\xff" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            png_chunk(b"IDAT", zlib.compress(pixels)) + png_chunk(b"IEND", b""))


def turned(data, degrees):
    """The PNG with an EXIF orientation, so that its pixels are decoded turned by 90, 180 or 270 degrees clockwise."""
    after_header = 8 + 25
    orientation = {90: 6, 180: 3, 270: 8}[degrees]
    exif = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, orientation, 0, 0)
    return data[:after_header] + png_chunk(b"eXIf", exif) + data[after_header:]


def png_size(data):
    """Width and height that a PNG's header tells; None when it is no PNG."""
    return struct.unpack(">II", data[16:24]) if data[:8] == b"\x89PNG\r\n\x1a\n" else None


def sample(name):
    return (ROOT / "samples" / f"{name}.png").read_bytes()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def examples_of(page):
    """The shell commands of docs/PAGE that are meant to be run: blocks of ```sh."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


class Case(unittest.TestCase):
    """A test with a folder of its own, `self.folder`, and tiny's models."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="inkread_e2e_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def run_example(self, example):
        """Runs commands of a document in the folder `work`, with tiny's models. The exit code is the last command's."""
        wrapper = self.put("bin/inkread", f'#!/bin/sh\nverb="$1"; shift\nexec "{command()}" "$verb" --size tiny "$@"\n'
                           .encode())
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        environment = dict(os.environ, PATH=f"{wrapper.parent}:{os.environ['PATH']}")
        return subprocess.run(["bash", "-c", example], cwd=self.folder / "work", env=environment, capture_output=True,
                              timeout=TIMEOUT_S)

    def check_part(self, part, entry):
        """A line, a word or a character: its score and its place in the image."""
        self.assertIsInstance(part["text"], str)
        self.assertTrue(0 <= part["score"] <= 1, part)
        self.assertEqual([len(corner) for corner in part["quad"]], [2, 2, 2, 2])
        for x, y in part["quad"]:
            self.assertTrue(0 <= x <= entry["width"] and 0 <= y <= entry["height"], part)

    def check_entry(self, entry, parts=()):
        """One member of `images`, by the output contract. `parts`: what each line has besides, "words" or "chars"."""
        if "error" in entry:
            self.assertLessEqual(set(entry), {"file", "page", "pages", "error"})
            self.assertEqual(set(entry["error"]), {"code", "message"})
            self.assertRegex(entry["error"]["code"], r"^[A-Z_]+$")
            self.assertGreater(len(entry["error"]["message"]), 5)
            return
        self.assertEqual(list(entry), ["file", "page", "pages", "width", "height", "turned", "backend", "warnings",
                                       "dropped", "lines", "ms"])
        for key in ("page", "pages", "width", "height", "dropped"):
            self.assertIsInstance(entry[key], int)
        self.assertTrue(-45 <= entry["turned"] <= 315, entry["turned"])
        self.assertIn(entry["backend"], backends())
        for warning in entry["warnings"]:
            self.assertIsInstance(warning, str)
        for line in entry["lines"]:
            self.assertEqual(list(line), ["text", "score", "det_score", "quad", *parts])
            self.check_part(line, entry)
            self.assertTrue(0 <= line["det_score"] <= 1, line)
            for key in parts:
                self.assertEqual("".join(part["text"] for part in line[key]), "".join(line["text"].split()))
                for part in line[key]:
                    self.assertEqual(list(part), ["text", "score", "quad"])
                    self.check_part(part, entry)
        self.assertIn("total", entry["ms"])
        for value in entry["ms"].values():
            self.assertTrue(is_number(value) and value >= 0, entry["ms"])

    def check_document(self, document, size="tiny", precisions=("precise",), parts=()):
        self.assertEqual(list(document), ["schema", "engine", "images"])
        self.assertEqual(document["schema"], 1)
        engine = document["engine"]
        self.assertEqual(list(engine), ["version", "size", "profile", "precision", "official", "order"])
        self.assertEqual((engine["size"], engine["profile"]), (size, "pipeline" if engine["official"] else "auto"))
        self.assertIn(engine["precision"], precisions)
        self.assertIsInstance(engine["official"], bool)
        self.assertIn(engine["order"], ["official"] if engine["official"] else ["reader", "official"])
        for entry in document["images"]:
            self.check_entry(entry, parts)
        return document["images"]


def without_times(entry):
    return {key: value for key, value in entry.items() if key != "ms"}


def main():
    global _command, _update
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    _command = os.path.abspath(sys.argv[1])
    arguments = sys.argv[2:]
    _update = "--update" in arguments
    if not has_models("tiny"):
        print(f"skipped: no models at {models_folder() / 'tiny'}; `inkread models fetch tiny small` gets them")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *(a for a in arguments if a != "--update")], verbosity=2)
