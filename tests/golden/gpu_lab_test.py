#!/usr/bin/env python3
"""Checks that a GPU backend gives the same bits each time, also under load: gpu_lab_test.py INKREAD LAB BACKEND READS

inkread-lab repeat: 8 runs of tiny's detector and recogniser. inkread-lab stress: 4 threads with READS reads each of an
image of one word. The exit code is 77 (skipped) if a device or the models are missing.
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import gpu_support
import support

TIMEOUT_S = 1500
WORD = "HEAT"
LETTERS = {"A": (14, 17, 17, 31, 17, 17, 17), "E": (31, 16, 16, 30, 16, 16, 31), "H": (17, 17, 17, 31, 17, 17, 17),
           "T": (31, 4, 4, 4, 4, 4, 4)}


def image_of(word, width=96, height=64, scale=2):
    """A grey PNG with the word in its centre: letters of 5 x 7 squares, dark on white."""
    rows = [bytearray(b"\xff" * width) for _ in range(height)]
    left, top = (width - (6 * len(word) - 1) * scale) // 2, (height - 7 * scale) // 2
    for i, letter in enumerate(word):
        for y in range(7 * scale):
            for x in range(5 * scale):
                if LETTERS[letter][y // scale] >> (4 - x // scale) & 1:
                    rows[top + y][left + 6 * i * scale + x] = 30
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + support.png_chunk(b"IHDR", header) + support.png_chunk(b"IDAT", pixels) +
            support.png_chunk(b"IEND", b""))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    support._command, lab = (os.path.abspath(program) for program in sys.argv[1:3])
    backend, reads = sys.argv[3:]
    if not support.has_models("tiny"):
        gpu_support.skip(f"no models at {support.models_folder() / 'tiny'}; `inkread models fetch tiny` gets them")
    device = gpu_support.first_device(backend)
    if device is None:
        gpu_support.skip(f"there is no {backend} device on this machine")
    on_device = ["--backend", f"{backend}:{device}", "--precision", "fast"]

    def expect(line, *arguments):
        """Checks that the command succeeds and prints exactly one line, which matches the regular expression `line`."""
        run = subprocess.run([lab, *arguments, *on_device], capture_output=True, text=True, timeout=TIMEOUT_S,
                             env=dict(os.environ, **gpu_support.VALIDATION))
        print(run.stdout, end="", flush=True)
        if run.returncode != 0 or run.stderr or not re.fullmatch(line + "\n", run.stdout):
            sys.exit(f"{arguments}: exit code {run.returncode}, expected '{line}'\n{run.stderr}")

    expect(r"tiny/det \[1,96,64,3\].*: 8 runs, all bits equal", "repeat", "tiny/det", "--shape", "1x96x64", "--runs",
           "8")
    expect(r"tiny/rec \[2,48,96,3\].*: 8 runs, all bits equal", "repeat", "tiny/rec", "--shape", "2x48x96", "--ctc",
           "--runs", "8")
    with tempfile.TemporaryDirectory(prefix="inkread_lab_") as folder:
        image = pathlib.Path(folder) / "word.png"
        image.write_bytes(image_of(WORD))
        # Answers for an image without text would be equal too.
        assert support.read(str(image)).out == WORD + "\n", support.read(str(image)).out
        expect(rf"tiny, .*: 4 callers x {reads} reads of 1 images: 0 mismatches", "stress", "--input", folder, "--size",
               "tiny", "--threads", "4", "--reads", reads)


if __name__ == "__main__":
    main()
