#!/usr/bin/env python3
"""What the command writes, and where: output_test.py INKREAD"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time
import xml.etree.ElementTree

import support
from support import Case, png, png_size, read, sample, without_times


class OutputTest(Case):
    def setUp(self):
        super().setUp()
        self.vertical = str(self.put("vertical.png", sample("vertical")))
        self.screen = str(self.put("screen.png", sample("screen")))
        self.bad = str(self.put("bad.png", b""))

    def test_json_lines_hold_the_entries_of_json(self):
        paths = (self.vertical, self.bad, self.screen)
        lines = read("--jsonl", *paths)
        document = read("--json", *paths)
        self.assertEqual((lines.code, document.code), (1, 1))
        entries = [json.loads(line) for line in lines.out.splitlines()]
        for entry in entries:
            self.check_entry(entry)
        expected = [without_times(entry) for entry in self.check_document(document.json())]
        self.assertEqual([without_times(entry) for entry in entries], expected)

    def start_with_a_fifo(self, *arguments):
        """The command on eight images, which are more than a batch, and on a FIFO into which nobody has written yet."""
        fifo = self.folder / "slow.png"
        os.mkfifo(fifo)
        running = subprocess.Popen(
            [support.command(), "read", "--size", "tiny", "--threads", "1", *arguments, *[self.vertical] * 8, str(fifo)],
            stdout=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        watchdog = threading.Timer(support.TIMEOUT_S, running.kill)
        watchdog.start()
        for cleanup in (running.stdout.close, watchdog.cancel, running.wait, running.kill):  # the last one is called first
            self.addCleanup(cleanup)
        return running, fifo

    def test_json_lines_come_as_images_are_read(self):
        running, fifo = self.start_with_a_fifo("--jsonl")
        line = running.stdout.readline()
        self.assertIsNone(running.poll())
        fifo.write_bytes(sample("screen"))
        rest = running.stdout.read().splitlines()
        self.assertEqual(running.wait(), 0)
        self.assertEqual(len(json.loads(line)["lines"]), 3)
        self.assertEqual([json.loads(text)["file"] for text in rest], [self.vertical] * 7 + [str(fifo)])

    def test_an_interrupt_ends_the_command_and_what_it_wrote_is_whole(self):
        running, _ = self.start_with_a_fifo("--jsonl")
        first = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        lines = [first, *running.stdout.read().splitlines()]
        self.assertEqual(running.wait(), -signal.SIGINT)
        self.assertEqual({json.loads(line)["file"] for line in lines}, {self.vertical})

    def test_text_of_several_images_has_headings(self):
        finished = read(self.vertical, self.bad, self.screen)
        self.assertEqual(finished.code, 1)
        alone = [read(path).out for path in (self.vertical, self.screen)]
        self.assertEqual(finished.out, f"==> {self.vertical} <==\n{alone[0]}\n==> {self.screen} <==\n{alone[1]}")
        self.assertEqual(finished.err, f"inkread: {self.bad}: the file is empty\n")

    def test_lines_below_the_score_threshold_are_counted_as_dropped(self):
        [all_lines] = read("--json", self.screen).json()["images"]
        scores = sorted(line["score"] for line in all_lines["lines"])
        limit = (scores[1] + scores[2]) / 2
        [kept] = read("--json", "--score-thresh", str(limit), self.screen).json()["images"]
        self.assertEqual(kept["dropped"], 2)
        self.assertEqual(kept["lines"], [line for line in all_lines["lines"] if line["score"] >= limit])

    def test_several_formats_come_from_one_read(self):
        flags = {"--text": "txt", "--json": "json", "--jsonl": "jsonl", "--tsv": "tsv", "--hocr": "hocr", "--alto": "xml"}
        image = self.put("a.png", sample("receipt"))
        options = ("--words", "--no-times", "--backend", "cpu")
        together = read(*flags, "--pdf", *options, "--out", self.folder / "all", image)
        self.assertEqual(together.code, 0, together)
        self.assertEqual(together.out, "")
        for flag, ending in flags.items():
            words = options if flag.startswith("--json") else options[1:]
            alone = read(flag, *words, image)
            self.assertEqual((self.folder / f"all.{ending}").read_text(), alone.out, flag)
        self.assertEqual((self.folder / "all.pdf").read_bytes()[:5], b"%PDF-")
        self.assertEqual(read("--json", "--pdf", image).code, 2)
        self.assertEqual(read("--json", "--pdf", "--out", self.folder / "no/folder", image).code, 2)

    def test_out_writes_a_file(self):
        target = self.folder / "out.txt"
        finished = read("--out", str(target), self.vertical)
        self.assertEqual((finished.code, finished.out), (0, ""))
        self.assertEqual(target.read_text(encoding="utf-8"), read(self.vertical).out)

    def test_what_cannot_be_written_fails(self):
        nowhere = str(self.folder / "no" / "where")
        finished = read("--out", nowhere, self.vertical)
        self.assertEqual(finished.code, 2)
        self.assertIn(nowhere, finished.err)
        finished = read("--overlay", nowhere + ".png", self.vertical)
        self.assertEqual((finished.code, finished.out), (1, read(self.vertical).out))
        self.assertIn(nowhere, finished.err)
        for arguments in (["--json"], ["--jsonl"], ["--tsv"], ["--hocr"], ["--alto"], ["--pdf"], []):
            with self.subTest(arguments):
                full = read("--out", "/dev/full", *arguments, self.vertical)
                self.assertEqual(full.code, 1)
                self.assertIn("could not be written completely", full.err)

    def run_closed(self, streams, *arguments):
        """Runs the command with these standard streams closed."""

        def close():
            for stream in streams:
                os.close(stream)

        run = subprocess.run([support.command(), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                             preexec_fn=close, timeout=support.TIMEOUT_S)
        return support.Finished(run.returncode, run.stdout.decode(), run.stderr.decode())

    def test_a_closed_standard_stream_is_no_other_files_number(self):
        target = self.folder / "out.json"
        arguments = ["read", "--size", "tiny", "--json", "--out", str(target), self.bad, self.vertical, self.bad]
        expected = None
        for streams in ((), (0,), (1,), (2,), (0, 2), (1, 2), (0, 1, 2)):
            with self.subTest(streams):
                finished = self.run_closed(streams, *arguments)
                self.assertEqual((finished.code, finished.out), (1, ""), finished)
                self.assertEqual(finished.err == "", 2 in streams, finished)
                entries = [without_times(entry) for entry in self.check_document(json.loads(target.read_text()))]
                expected = expected or entries
                self.assertEqual(entries, expected)

    def test_a_closed_standard_output_or_a_full_one_fails_every_command(self):
        for arguments in (["read", "--size", "tiny", self.vertical], ["--version"], ["--help"], ["models", "list"],
                          ["models", "path"], ["devices"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                to_full = subprocess.run([support.command(), *arguments], stdout=full, stderr=subprocess.PIPE,
                                         timeout=support.TIMEOUT_S)
                closed = self.run_closed((1,), *arguments)
                for code, err in ((to_full.returncode, to_full.stderr.decode()), (closed.code, closed.err)):
                    self.assertEqual((code, err), (1, "inkread: standard output: could not be written completely\n"))
        self.assertEqual(pathlib.Path(self.vertical).read_bytes(), sample("vertical"))

    def test_a_closed_standard_input_is_not_another_files_image(self):
        finished = self.run_closed((0,), "read", "--size", "tiny", "--json", self.vertical, "-")
        self.assertEqual(finished.code, 1, finished)
        first, second = finished.json()["images"]
        self.assertEqual((len(first["lines"]), second["error"]["code"]), (3, "NOT_FOUND"))
        self.assertIn("inkread: -: cannot be read: ", finished.err)

    def test_a_reader_that_goes_away_ends_the_command(self):
        run = subprocess.Popen([support.command(), "read", "--size", "tiny", "--threads", "1", "--jsonl",
                                *[self.vertical] * 40], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdout.readline()
        run.stdout.close()
        _, err = run.communicate(timeout=support.TIMEOUT_S)
        self.assertEqual((run.returncode, err), (-signal.SIGPIPE, b""))

    def test_overlay_writes_a_png_of_the_images_size(self):
        target = self.folder / "boxes.png"
        finished = read("--overlay", str(target), self.vertical)
        self.assertEqual((finished.code, finished.err), (0, ""), finished)
        self.assertEqual(png_size(target.read_bytes()), (300, 420))
        self.assertNotEqual(target.read_bytes(), sample("vertical"))
        # The image that was drawn on still reads as one.
        self.assertEqual(read("--json", str(target)).json()["images"][0]["width"], 300)

    def test_overlay_is_a_jpeg_or_a_new_folder_as_its_name_says(self):
        for name, file in (("boxes.jpg", "boxes.jpg"), ("new", "new/vertical.overlay.png"),
                           ("two/new.png/", "two/new.png/vertical.overlay.png")):
            finished = read("--overlay", f"{self.folder}/{name}", self.vertical)
            self.assertEqual((finished.code, finished.err), (0, ""), finished)
            start = (self.folder / file).read_bytes()[:3]
            self.assertEqual(start, b"\xff\xd8\xff" if name == "boxes.jpg" else b"\x89PN")
        finished = read("--overlay", str(self.folder / "new.png"), self.vertical, self.screen)
        self.assertEqual(finished.code, 2, finished)
        self.assertIn("expected a folder for several images", finished.err)

    def test_overlay_of_several_images_is_a_folder(self):
        target = self.folder / "boxes"
        blank = str(self.put("blank.png", png(40, 30)))
        finished = read("--overlay", str(target), self.vertical, self.bad, blank)
        self.assertEqual(finished.code, 1)
        sizes = {path.name: png_size(path.read_bytes()) for path in target.iterdir()}
        self.assertEqual(sizes, {"blank.overlay.png": (40, 30), "vertical.overlay.png": (300, 420)})

    def test_no_output_may_destroy_an_input_or_another_output(self):
        (self.folder / "link.png").symlink_to("vertical.png")
        before = sample("vertical")
        new, folder = str(self.folder / "new"), str(self.folder)
        cases = ((("--out", self.vertical), "is one of the images to read"),
                 (("--out", folder + "/./link.png"), "is one of the images to read"),
                 (("--overlay", self.vertical), "is one of the images to read"),
                 (("--overlay", new, "--out", folder + "/./new"), "is the file of --out"),
                 (("--overlay", self.screen, self.bad), "expected a folder for several images"))
        for arguments, says in cases:
            with self.subTest(arguments):
                finished = read(self.vertical, *arguments)
                self.assertEqual((finished.code, finished.out), (2, ""), finished)
                self.assertRegex(finished.err, rf"^inkread: --(out|overlay) .*: .*{says}")
                self.assertEqual((self.folder / "vertical.png").read_bytes(), before)
                self.assertFalse((self.folder / "new").exists())
        self.assertEqual((self.folder / "screen.png").read_bytes(), sample("screen"))
        with open(self.vertical, "rb") as stdin:
            run = subprocess.run([support.command(), "read", "-", "--out", self.vertical], stdin=stdin, capture_output=True,
                                 timeout=support.TIMEOUT_S)
        self.assertEqual((run.returncode, (self.folder / "vertical.png").read_bytes()), (2, before), run)
        with open(new, "wb") as stdout:
            run = subprocess.run([support.command(), "read", self.vertical, "--overlay", new], stdout=stdout,
                                 stderr=subprocess.PIPE, timeout=support.TIMEOUT_S)
        self.assertEqual(run.returncode, 2, run)

    def test_an_overlay_in_a_folder_spares_what_is_read(self):
        overlay = self.put("vertical.overlay.png", sample("screen"))
        finished = read("--overlay", str(self.folder), self.vertical, str(overlay))
        self.assertEqual(finished.code, 1)
        self.assertIn(f"overlay {overlay}: ", finished.err)
        self.assertEqual(overlay.read_bytes(), sample("screen"))
        self.assertEqual(png_size((self.folder / "vertical.overlay.overlay.png").read_bytes()), png_size(sample("screen")))

    def test_a_run_that_fails_leaves_the_old_file(self):
        target = self.put("out.txt", b"old")
        finished = read("--models", str(self.folder), "--out", str(target), self.vertical)
        self.assertEqual((finished.code, target.read_bytes()), (3, b"old"), finished)

    def test_out_writes_to_pipes_and_standard_output(self):
        expected = read(self.vertical).out
        self.assertEqual(read("--out", "/dev/stdout", self.vertical).out, expected)
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen([support.command(), "read", "--size", "tiny", self.vertical, "--out", str(fifo)]) as running:
            self.assertEqual(fifo.read_text(encoding="utf-8"), expected)
            self.assertEqual(running.wait(), 0)
        self.assertTrue(fifo.is_fifo())
        gathered = self.put("gathered", b"first\n")
        with open(gathered, "ab") as stdout:
            subprocess.run([support.command(), "read", "--size", "tiny", self.vertical, "--out", "/dev/stdout"],
                           stdout=stdout, check=True, timeout=support.TIMEOUT_S)
        self.assertEqual(gathered.read_text(encoding="utf-8"), "first\n" + expected)

    def test_a_precision_that_is_not_there_is_said_once_and_stands_in_each_entry(self):
        said = "precision fast is not in the cpu backend: bf16 is switched off; precise was used"
        for arguments in ((), ("--json",)):
            with self.subTest(arguments):
                finished = read("--precision", "fast", *arguments, self.vertical, self.screen, env={"INKREAD_DISABLE": "bf16"})
                self.assertEqual((finished.code, finished.err), (0, f"inkread: warning: {said}\n"))
        images = self.check_document(finished.json())
        self.assertEqual([entry["warnings"] for entry in images], [[said], [said]])
        self.assertEqual(read("--precision", "precise", self.vertical).err, "")


if __name__ == "__main__":
    support.main()
