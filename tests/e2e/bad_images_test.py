#!/usr/bin/env python3
"""Images that are bad, odd or not there: bad_images_test.py INKREAD

Each gives a message that names the file and the reason; nothing of the other files is lost.
"""
import os
import random
import re
import resource
import socket
import subprocess
from dataclasses import dataclass

import support
from support import Case, png, read, sample


@dataclass
class Bad:
    name: str
    content: bytes
    code: str  # of the JSON error, by the contracts of codec.h
    says: str


NOT_AN_IMAGE = "not in an image format that is read: expected JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000, found "
BAD = (
    Bad("empty.png", b"", "INVALID_ARGUMENT", "the file is empty"),
    Bad("zero_sized.png", png(0, 0, header_only=True), "CORRUPT_IMAGE", "PNG header"),
    Bad("no_height.png", png(9, 0, header_only=True), "CORRUPT_IMAGE", "PNG header"),
    Bad("only_a_signature.png", png(9, 9)[:8], "CORRUPT_IMAGE", "PNG"),
    Bad("cut_in_its_header.png", png(9, 9)[:20], "CORRUPT_IMAGE", "PNG"),
    Bad("no_rows.png", png(9, 9, header_only=True), "CORRUPT_IMAGE", "PNG"),
    Bad("cut.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\0\1\1\0\0\1\0\1\0\0", "CORRUPT_IMAGE", "JPEG"),
    Bad("cut.gif", b"GIF89a\x01", "CORRUPT_IMAGE", "GIF"),
    Bad("cut.bmp", b"BM\x10\0\0\0\0\0\0\0", "CORRUPT_IMAGE", "BMP"),
    Bad("cut.tif", b"II*\0\xff\xff\xff\x7f", "CORRUPT_IMAGE", "TIFF"),
    Bad("cut.jp2", b"\0\0\0\x0cjP  \r\n\x87\n", "CORRUPT_IMAGE", "JPEG 2000 header"),
    Bad("cut.j2k", b"\xff\x4f\xff\x51\0\x29", "CORRUPT_IMAGE", "JPEG 2000 header"),
    Bad("cut.webp", b"RIFF\x10\0\0\0WEBPVP8 ", "CORRUPT_IMAGE", "WebP"),
    Bad("random.png", random.Random(1).randbytes(5000), "CORRUPT_IMAGE", NOT_AN_IMAGE),
    Bad("pdf.png", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "CORRUPT_IMAGE", "PDF: cannot be read: "),
    Bad("page.jpg", b"<!DOCTYPE html><html>404", "CORRUPT_IMAGE", NOT_AN_IMAGE + "an HTML page"),
    Bad("photo.png", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "UNSUPPORTED", "HEIF"),
    Bad("text.png", "no image but words".encode(), "CORRUPT_IMAGE", NOT_AN_IMAGE),
    Bad("20000x20000.png", png(20000, 20000, header_only=True), "INVALID_ARGUMENT", "20000 x 20000 px"),
    Bad("坏的图片 一.png", b"", "INVALID_ARGUMENT", "the file is empty"),
)


MEMORY_BYTES = 700 << 20  # the peak of a run on a small image, many times over, and far less than its input


def read_in(memory_bytes, *arguments, stdin):
    """Runs `inkread read` with so much address space."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    run = subprocess.run([support.command(), "read", "--size", "tiny", *arguments], stdin=stdin, capture_output=True,
                         preexec_fn=limit, timeout=support.TIMEOUT_S)
    return support.Finished(run.returncode, run.stdout.decode(), run.stderr.decode(errors="replace"))


def read_json(*arguments, **options):
    finished = read("--json", *arguments, **options)
    return finished, finished.json()["images"]


class BadImagesTest(Case):
    def check_failed(self, finished, entry, name, code, says):
        self.check_entry(entry)
        self.assertEqual(entry.get("error", {}).get("code"), code, entry)
        self.assertIn(says, entry["error"]["message"])
        self.assertTrue(entry["file"].endswith(name), entry)
        told = [line for line in finished.err.splitlines() if line.startswith("inkread: ") and f"{name}: " in line]
        self.assertEqual(len(told), 1, finished)
        self.assertIn(says, told[0])

    def test_each_is_named_with_its_reason(self):
        for bad in BAD:
            with self.subTest(bad.name):
                finished, [entry] = read_json(str(self.put(bad.name, bad.content)))
                self.assertEqual(finished.code, 1, finished)
                self.check_failed(finished, entry, bad.name, bad.code, bad.says)

    def test_in_one_call_good_ones_are_read_all_the_same(self):
        paths = [self.put("first.png", sample("vertical"))]
        paths += [self.put(bad.name, bad.content) for bad in BAD]
        paths += [self.folder / "missing.png", self.put("last.png", sample("vertical"))]
        finished, images = read_json(*map(str, paths))
        self.assertEqual(finished.code, 1, finished)
        self.assertEqual([entry["file"] for entry in images], [str(path) for path in paths])
        for bad, entry in zip(BAD, images[1:]):
            self.check_failed(finished, entry, bad.name, bad.code, bad.says)
        self.check_failed(finished, images[-2], "missing.png", "NOT_FOUND", "no such file or folder")
        for entry in (images[0], images[-1]):
            self.check_entry(entry)
            self.assertEqual(len(entry["lines"]), 3)

    def test_a_folder_is_walked_in_order_and_what_is_no_image_passed_over(self):
        for name in ("b/图.png", "a.png", "c.png"):
            self.put(name, sample("vertical"))
        self.put("b/cut.png", png(9, 9)[:20])
        self.put("notes.txt", b"words")
        self.put("nothing.png", b"")
        (self.folder / "b" / "loop").symlink_to(self.folder)
        finished, images = read_json(str(self.folder))
        self.assertEqual(finished.code, 1, finished)
        found = [(os.path.relpath(entry["file"], self.folder), len(entry.get("lines", []))) for entry in images]
        self.assertEqual(found, [("a.png", 3), ("b/cut.png", 0), ("b/图.png", 3), ("c.png", 3),
                                 ("nothing.png", 0)])
        self.check_failed(finished, images[1], "b/cut.png", "CORRUPT_IMAGE", "PNG")
        self.check_failed(finished, images[4], "nothing.png", "INVALID_ARGUMENT", "the file is empty")

    def test_a_folder_without_images_says_so(self):
        self.put("notes.txt", b"words")
        finished, images = read_json(str(self.folder))
        self.assertEqual((finished.code, len(images)), (1, 1), finished)
        self.check_failed(finished, images[0], str(self.folder), "NOT_FOUND", "no images in this folder")

    def test_what_cannot_be_opened_or_read_is_named(self):
        loop, dangling = self.folder / "loop.png", self.folder / "dangling.png"
        loop.symlink_to(loop)
        dangling.symlink_to(self.folder / "nowhere")
        listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(listening.close)
        listening.bind(str(self.folder / "socket"))
        cases = [(loop, "Too many levels of symbolic links"), (dangling, "No such file"),
                 (self.folder / "socket", "cannot be opened"), ("/proc/self/mem", "cannot be read"),
                 ("x" * 300, "File name too long"), (str(self.put("file", b"x") / "a.png"), "Not a directory"),
                 (str(self.folder / "*.zzz"), "no file matches this pattern"), ("", "no such file or folder")]
        if os.geteuid() != 0:  # root may read everything
            locked = self.put("locked.png", sample("vertical"))
            locked.chmod(0)
            cases.append((locked, "Permission denied"))
        for path, says in cases:
            with self.subTest(str(path)):
                finished, [entry] = read_json(str(path))
                self.assertEqual(finished.code, 1, finished)
                self.check_failed(finished, entry, str(path), "NOT_FOUND", says)

    def test_empty_standard_input_fails_and_an_image_there_is_read(self):
        finished, [entry] = read_json("-")
        self.assertEqual(finished.code, 1, finished)
        self.check_failed(finished, entry, "-", "INVALID_ARGUMENT", "the file is empty")
        finished, [entry] = read_json("-", stdin=sample("vertical"))
        self.assertEqual((finished.code, entry["file"], len(entry["lines"])), (0, "-", 3), finished)

    def test_what_is_no_image_is_not_read_to_its_end(self):
        video = self.put("video.png", b"\0")
        os.truncate(video, 3 << 30)  # sparse
        for path in (str(video), "/dev/zero"):
            with self.subTest(path), open(path, "rb") as stdin:
                for arguments in ([path], ["-"]):
                    run = read_in(MEMORY_BYTES, *arguments, stdin=stdin)
                    self.assertEqual(run.code, 1, run)
                    self.assertIn(NOT_AN_IMAGE + "only zeros at the start", run.err)

    def test_an_image_with_a_long_tail_takes_little_memory(self):
        long = self.put("long.png", sample("vertical"))
        os.truncate(long, 3 << 30)
        finished, [entry] = read_json(str(long))
        self.assertEqual((finished.code, len(entry["lines"])), (0, 3), finished)
        with open(long, "rb") as stdin:
            from_stdin = subprocess.run([support.command(), "read", "--size", "tiny", "-"], stdin=stdin, capture_output=True,
                                        timeout=support.TIMEOUT_S)
        self.assertEqual(from_stdin.stdout.decode().splitlines(), [line["text"] for line in entry["lines"]])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MEMORY_BYTES >> 10)

    def test_a_stream_has_a_limit(self):
        content = sample("vertical") + b"\0" * (17 << 20)
        finished, [entry] = read_json("--max-pixels", "200000", "-", stdin=content)
        self.assertEqual(finished.code, 1, finished)
        self.check_failed(finished, entry, "-", "INVALID_ARGUMENT", "does not end after 17577216 bytes")
        finished, [entry] = read_json("--max-pixels", "1000000", "-", stdin=content)
        self.assertEqual((finished.code, len(entry["lines"])), (0, 3), finished)

    def test_names_that_are_no_utf8_stay_apart(self):
        names = [b"caf\xe9.png", b"caf\xe8.png", "caf\ufffd.png".encode(), "caf\ufffdE9.png".encode(), b"\xff\xfe"]
        paths = [os.path.join(os.fsencode(self.folder), name) for name in names]
        finished, images = read_json(*paths)
        self.assertEqual((finished.code, len(images)), (1, len(names)), finished)
        back = [re.sub(b"\xef\xbf\xbd([0-9A-F]{2})", lambda digits: bytes.fromhex(digits[1].decode()),
                       entry["file"].encode()) for entry in images]
        self.assertEqual(back, paths)

    def test_images_without_text_end_well_and_empty(self):
        for width, height in ((1, 1), (1, 2), (2, 1), (3, 300), (31, 31), (20000, 20), (20, 20000), (300, 200)):
            with self.subTest(width=width, height=height):
                path = self.put("blank.png", png(width, height))
                finished, [entry] = read_json(str(path))
                self.assertEqual((finished.code, finished.err), (0, ""), finished)
                self.check_entry(entry)
                self.assertEqual((entry["width"], entry["height"], entry["lines"]), (width, height, []))
                self.assertEqual(read(str(path)).out, "")

    def test_the_pixel_limit_is_an_option(self):
        path = str(self.put("a.png", png(30, 20)))
        finished, [entry] = read_json("--max-pixels", "599", path)
        self.assertEqual(finished.code, 1)
        self.check_failed(finished, entry, "a.png", "INVALID_ARGUMENT", "30 x 20 px are more than the limit of 599")
        self.assertEqual(read("--max-pixels", "600", path).code, 0)

    def test_a_cut_image_is_read_as_far_as_it_goes_with_a_warning(self):
        whole = sample("vertical")
        finished, [entry] = read_json(str(self.put("cut.png", whole[:len(whole) * 3 // 4])))
        self.assertEqual(finished.code, 0, finished)
        self.check_entry(entry)
        self.assertEqual(len(entry["warnings"]), 1)
        self.assertRegex(entry["warnings"][0], r"^PNG: truncated at row \d+ of 420; the rest is blank")
        self.assertEqual(len(entry["lines"]), 3, "the columns reach into what is left")
        text = read(str(self.folder / "cut.png"))
        self.assertIn("cut.png: warning: PNG: truncated at row", text.err)

    def test_names_do_not_matter(self):
        for name in ("wrong.jpg", "no_ending", "图片 一.png", "new\nline.png", "-dash.png", "[a]*.png", b"\xff\xfe.png"):
            with self.subTest(repr(name)):
                path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
                with open(path, "wb") as file:
                    file.write(sample("vertical"))
                finished, [entry] = read_json(path)
                self.assertEqual((finished.code, finished.err), (0, ""), finished)
                self.assertEqual(len(entry["lines"]), 3)
                if isinstance(name, str):
                    self.assertEqual(entry["file"], os.fsdecode(path))
        finished, [entry] = read_json("--", "-dash.png", cwd=self.folder)
        self.assertEqual((finished.code, len(entry["lines"])), (0, 3), finished)


if __name__ == "__main__":
    support.main()
