#!/usr/bin/env python3
"""Runs over folders, and how they end: folders_test.py INKREAD"""
import collections
import errno
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import support
from support import Case, png, read, sample

NOBODY = 65534
KILLS = 8
JSON_LINES = ("--jsonl", "--no-times")


def start(*arguments, **options):
    """The command as a process whose signals act as usual."""
    return subprocess.Popen([support.command(), "read", "--size", "tiny", "--threads", "2", *map(os.fspath, arguments)],
                            preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL)
                                                for number in (signal.SIGINT, signal.SIGTERM)], **options)


def wait_until(condition):
    end = time.monotonic() + support.TIMEOUT_S
    while not (value := condition()):
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)
    return value


class FoldersTest(Case):
    def setUp(self):
        super().setUp()
        self.put("in/b/vertical.png", sample("vertical"))
        for number in range(12):
            self.put(f"in/{number:02}.png", png(40 + number, 30))
        self.put("in/a/screen.png", sample("screen"))
        self.put("in/damaged.jpg", b"no image")
        self.put("in/notes.txt", b"no image either")
        self.images = self.folder / "in"
        self.out = self.folder / "out.jsonl"

    def resume(self, *arguments, **options):
        return read(*JSON_LINES, "--out", str(self.out), "--resume", str(self.images), *arguments, **options)

    def whole(self):
        """The lines of an undisturbed run."""
        finished = read(*JSON_LINES, str(self.images))
        self.assertEqual(finished.code, 1, finished)
        self.assertEqual(len(finished.out.splitlines()), 15)
        return finished.out

    def test_the_number_of_workers_changes_no_byte(self):
        whole = self.whole()
        for workers in (1, 2, 7):
            self.assertEqual(read(*JSON_LINES, "--workers", str(workers), str(self.images)).out, whole)
        unordered = read(*JSON_LINES, "--unordered", "--workers", "3", str(self.images)).out
        self.assertEqual(sorted(unordered.splitlines()), sorted(whole.splitlines()))

    def test_a_folder_run_ends_with_a_summary(self):
        finished = read(str(self.images))
        damaged = re.escape(f"{self.images}/damaged.jpg")
        self.assertRegex(finished.err, rf"^inkread: {damaged}: not in an image format .*\n"
                                       r"inkread: 14 images read; took [0-9:]+ \([0-9.]+ a second\); "
                                       r"1 failed: 1 CORRUPT_IMAGE\n$")
        self.assertEqual(read(str(self.images / "b")).err.count("; none failed\n"), 1)
        self.assertEqual(read(str(self.images / "b" / "vertical.png")).err, "")

    def test_killed_runs_go_on_to_the_same_bytes(self):
        whole = self.whole()
        chance = random.Random(1)
        for kill in range(KILLS):
            running = start(*JSON_LINES, "--out", self.out, "--resume", self.images, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.5))
            running.send_signal((signal.SIGKILL, signal.SIGTERM)[kill % 2])
            running.wait()
            if self.out.exists() and chance.random() < 0.5:
                os.truncate(self.out, chance.randint(0, self.out.stat().st_size))
        finished = self.resume()
        self.assertEqual((finished.code, self.out.read_text()), (1, whole), finished)
        again = self.resume()
        self.assertEqual((again.code, self.out.read_text()), (1, whole), again)
        self.assertRegex(again.err, "^inkread: 14 images read, 14 by an earlier run; took 0:00; 1 failed: 1 CORRUPT_IMAGE\n$")

    def test_resume_refuses_what_it_cannot_go_on_with(self):
        for arguments in (["--resume", "--json", "--out", "x"], ["--resume", "--jsonl"], ["--resume", "--jsonl", "--out", "-"],
                          ["--resume", "--jsonl", "--out", "x", "--overlay", "y"]):
            self.assertEqual(read(*arguments, str(self.images)).code, 2, arguments)
        self.out.write_bytes(b"my notes\n")
        finished = self.resume()
        self.assertEqual((finished.code, self.out.read_bytes()), (2, b"my notes\n"))
        self.assertIn("line 1 was not written by `inkread read --jsonl`; nothing is added", finished.err)

    def test_a_full_disk_ends_a_run_that_then_goes_on(self):
        whole = self.whole()
        for size in (0, 10, len(whole) // 2, len(whole) - 1):
            self.out.unlink(missing_ok=True)

            def limit(most=size):
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

            run = subprocess.run([support.command(), "read", "--size", "tiny", *JSON_LINES, "--out", str(self.out),
                                  "--resume", str(self.images)], capture_output=True, preexec_fn=limit,
                                 timeout=support.TIMEOUT_S)
            err = run.stderr.decode()
            self.assertEqual(run.returncode, 1, err)
            self.assertIn(f"inkread: {self.out}: cannot be written: {os.strerror(errno.EFBIG)}; its lines are whole, and "
                          "--resume goes on with it\n", err)
            text = self.out.read_text()
            self.assertTrue(whole.startswith(text) and (not text or text.endswith("\n")), text)
            self.resume()
            self.assertEqual(self.out.read_text(), whole)

    def test_a_small_file_system_that_is_full(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(disk)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        self.put("in/b/receipt.png", sample("receipt"))
        whole = read(*JSON_LINES, str(self.images)).out
        self.out = disk / "out.jsonl"
        self.assertGreater(len(whole), 4096)
        full = self.resume()
        self.assertEqual(full.code, 1)
        self.assertIn(os.strerror(errno.ENOSPC), full.err)
        self.assertTrue(whole.startswith(self.out.read_text()) and self.out.read_text().endswith("\n"))
        subprocess.run(["mount", "-o", "remount,size=1m", str(disk)], check=True)
        self.assertEqual(self.resume().code, 1)
        self.assertEqual(self.out.read_text(), whole)

    def test_shards_joined_equal_one_run(self):
        parts = [read(*JSON_LINES, "--shard", f"{number}/3", str(self.images)).out.splitlines() for number in (1, 2, 3)]
        self.assertGreater(min(map(len, parts)), 0)
        self.assertEqual(sorted(sum(parts, [])), sorted(self.whole().splitlines()))
        for wrong in ("0/3", "4/3", "3", "a/b"):
            self.assertEqual(read("--shard", wrong, str(self.images)).code, 2)

    def hold(self, *arguments):
        """The command once it has read all but two pipes, which keep it from ending. Returns it and what ends them."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        pipes = [folder / name for name in ("first.png", "second.png")]
        for pipe in pipes:
            os.mkfifo(pipe)
        vertical, screen = self.images / "b/vertical.png", self.images / "a/screen.png"
        # Two threads: one worker, and one that decodes ahead.
        running = start("--workers", "1", *arguments, vertical, pipes[0], screen, pipes[1], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        self.addCleanup(running.kill)

        def opened(pipe):
            try:
                return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO or running.poll() is not None:
                    raise
                return None

        for pipe in pipes:
            self.addCleanup(os.close, wait_until(lambda: opened(pipe)))
        return running

    def check_interrupted(self, text, arguments):
        vertical, screen = self.images / "b/vertical.png", self.images / "a/screen.png"
        if arguments == ["--json"]:
            names = [entry["file"] for entry in self.check_document(json.loads(text))]
            self.assertEqual(names, [str(vertical), str(screen)])
        else:
            expected = read(*arguments, "--no-times", str(vertical), str(screen)).out
            if "--jsonl" in arguments:
                text = "".join(json.dumps(support.without_times(json.loads(line))) + "\n" for line in text.splitlines())
                expected = "".join(json.dumps(json.loads(line)) + "\n" for line in expected.splitlines())
            self.assertEqual(text, expected)

    def test_an_interrupt_loses_nothing_of_any_format(self):
        runs = []
        for number in (signal.SIGINT, signal.SIGTERM):
            for arguments in ([], ["--json"], ["--jsonl"], ["--tsv"]):
                target = self.put(f"target{len(runs)}", b"old")
                to_file = number == signal.SIGTERM
                runs.append((number, arguments, to_file, target,
                             self.hold(*arguments, *(["--out", str(target)] if to_file else []))))
        for number, _, _, _, running in runs:
            running.send_signal(number)
        for number, arguments, to_file, target, running in runs:
            with self.subTest(arguments=arguments, number=number):
                out, err = running.communicate(timeout=support.TIMEOUT_S)
                self.assertEqual(running.returncode, -number, err)  # 130 or 143 for a shell
                self.assertIn(b"inkread: interrupted: 2 of 4 files read\n", err)
                self.check_interrupted((target.read_bytes() if to_file else out).decode(), arguments)
                self.assertEqual(list(self.folder.glob(".inkread-*")), [])

    def test_a_second_interrupt_ends_at_once(self):
        target = self.put("target", b"old")
        running = self.hold("--json", "--out", str(target))
        running.send_signal(signal.SIGINT)
        time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(), -signal.SIGTERM)
        self.assertEqual(target.read_bytes(), b"old")
        self.assertEqual(list(self.folder.glob(".inkread-*")), [])

    def test_an_interrupt_before_the_first_result_leaves_the_old_file(self):
        target = self.put("target", b"old")
        pipe = self.folder / "pipe.png"
        os.mkfifo(pipe)
        running = start("--json", "--out", target, pipe, stderr=subprocess.PIPE)
        wait_until(lambda: list(self.folder.glob(".inkread-*")))
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=support.TIMEOUT_S)
        self.assertEqual((running.returncode, target.read_bytes()), (-signal.SIGINT, b"old"), err)

    def test_an_ignored_signal_stays_ignored(self):
        running = subprocess.Popen([support.command(), "read", "--size", "tiny", *JSON_LINES, str(self.images)],
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        first = running.stdout.readline()
        running.send_signal(signal.SIGHUP)
        out = first + running.stdout.read()
        running.stdout.close()
        self.assertEqual((running.wait(), out.decode()), (1, self.whole()))

    def test_watch_reads_what_comes_and_goes_on_later(self):
        new = self.folder / "new"
        new.mkdir()

        def names():
            lines = self.out.read_text().splitlines(keepends=True) if self.out.exists() else []
            return [os.path.basename(json.loads(line)["file"]) for line in lines if line.endswith("\n")]

        def watch(changes):
            running = start(*JSON_LINES, "--out", self.out, "--resume", "--watch", new, stderr=subprocess.PIPE)
            self.addCleanup(running.kill)
            for change, expected in changes:
                change()
                wait_until(lambda: running.poll() is not None or names() == expected)
            running.send_signal(signal.SIGTERM)
            _, err = running.communicate(timeout=support.TIMEOUT_S)
            return running.returncode, err.decode()

        def put(name, content):
            return lambda: self.put(f"new/{name}", content)

        def finish_slowly():
            whole = sample("vertical")
            with open(new / "slow.png", "wb") as file:
                for part in (whole[:500], whole[500:1000], whole[1000:]):
                    file.write(part)
                    file.flush()
                    time.sleep(0.4)

        code, err = watch([(put("a.png", png(40, 30)), ["a.png"]), (finish_slowly, ["a.png", "slow.png"])])
        self.assertEqual(code, 0, err)  # a signal is how it ends, and everything was read
        self.assertEqual(self.out.read_text().count('"warnings":[]'), 2)
        self.assertRegex(err, "inkread: 2 images read; took .*; none failed\n")
        code, err = watch([(put("b.png", b"no image"), ["a.png", "slow.png", "b.png"])])
        self.assertEqual(code, 1, err)
        self.assertRegex(err, "inkread: 2 images read, 2 by an earlier run; took .*; 1 failed: 1 CORRUPT_IMAGE\n")
        self.assertEqual(read("--watch", str(new / "a.png")).code, 2)

    def test_where_nothing_is_to_read_the_code_is_one(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for argument, says in ((str(empty), "no images in this folder"), (f"{empty}/*.png", "no file matches this pattern"),
                               (f"{empty}/**/*.png", "no file matches this pattern"), (f"{empty}/x", "no such file")):
            for command in (["read"], ["bench", "--input"]):
                finished = support.inkread(*command, argument, "--size", "tiny")
                self.assertEqual(finished.code, 1, finished)
                self.assertIn(f"{argument}: {says}", finished.err)
        self.assertEqual(read(str(empty), str(self.images / "b")).code, 1)

    def test_a_refused_file_is_told_from_a_missing_one(self):
        folder = tempfile.mkdtemp(prefix="inkread_e2e_")
        self.addCleanup(shutil.rmtree, folder)
        for name in ("refused.png", "good.png"):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(png(40, 30))
        os.mkdir(f"{folder}/refused")
        models = shutil.copytree(support.models_folder() / "tiny", f"{folder}/models")
        os.chmod(folder, 0o755)
        os.chmod(f"{folder}/refused.png", 0)
        os.chmod(f"{folder}/refused", 0)
        user = {"user": NOBODY} if os.geteuid() == 0 else {}  # root may open everything
        arguments = [support.command(), "read", "--size", "tiny", "--models", models, "--jsonl", "--no-times",
                     *(f"{folder}/{name}" for name in ("refused.png", "refused", "good.png", "missing.png"))]
        try:
            run = subprocess.run(arguments, capture_output=True, timeout=support.TIMEOUT_S, **user)
        except (PermissionError, subprocess.SubprocessError) as error:
            self.skipTest(f"cannot run the command as another user: {error}")
        entries = [json.loads(line) for line in run.stdout.splitlines()]
        codes = [entry.get("error", {}).get("code") for entry in entries]
        self.assertEqual((run.returncode, codes), (1, ["PERMISSION_DENIED", "PERMISSION_DENIED", None, "NOT_FOUND"]), run)
        self.assertIn("Permission denied", entries[0]["error"]["message"])
        # What fails for no other reason has an exit code of its own; so has an output.
        for arguments in (arguments[:-1], [*arguments[:-2], "--out", f"{folder}/refused/out.jsonl"]):
            run = subprocess.run(arguments, capture_output=True, timeout=support.TIMEOUT_S, **user)
            self.assertEqual(run.returncode, 4, run)

    def test_out_dash_is_standard_output(self):
        vertical = str(self.images / "b/vertical.png")
        self.assertEqual(read("--out", "-", vertical, cwd=self.folder).out, read(vertical).out)
        self.assertFalse((self.folder / "-").exists())

    def test_progress_fits_a_terminal_of_40_columns(self):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        running = start(self.images, "--out", self.folder / "x", stderr=terminal)
        os.close(terminal)
        shown = b""
        while True:
            try:
                part = os.read(main, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        self.assertEqual(running.wait(), 1)
        drawn = re.findall(r"\r\x1b\[K(reading[^\r\n]*)", shown.decode())
        self.assertTrue(drawn, shown)
        self.assertIn("15 / 15", drawn[-1])
        self.assertLess(max(map(len, drawn)), 40)

    def test_the_examples_of_the_page_on_folders_run(self):
        blocks = support.examples_of("folders.md")
        self.assertGreater(len(blocks), 3)
        for number in range(3):
            self.put(f"work/scans/2026/{number}.png", png(50 + number, 30))
        self.put("work/scans/receipt.png", sample("vertical"))
        self.put("work/scans/broken.jpg", b"no image")
        for block in blocks:
            with self.subTest(block):
                run = self.run_example(block)
                # `broken.jpg` is among the images, and a watch is ended by a signal.
                self.assertIn(run.returncode, (0, 1), run)
                self.assertNotIn(b"--help", run.stderr, run)
                if "cmp" in block:
                    self.assertEqual(run.returncode, 0, run)
        lines = (self.folder / "work" / "out.jsonl").read_text().splitlines()
        names = collections.Counter(json.loads(line)["file"] for line in lines)
        self.assertEqual(set(names.values()), {1}, names)


if __name__ == "__main__":
    support.main()
