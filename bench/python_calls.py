#!/usr/bin/env python3
"""Measures what the Python package adds to a read: python_calls.py IMAGE [--size tiny] [--threads N] [--workers 8]

Prints
  - the time of a read less what the engine itself took (Reading.ms.total), median and worst of --rounds, for an array,
    alone and with words and characters
  - resident memory before and after every thousand of --tiny-reads reads of an image of 8x8 px
  - images per second read by --workers Python threads, and by `inkread bench` with as many workers where --command
    names it, alternating
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy
import PIL.Image

import inkread


def overhead(engine, pixels, rounds, **options):
    added = []
    for _ in range(rounds):
        start = time.perf_counter()
        reading = engine.read(pixels, **options)
        added.append((time.perf_counter() - start) * 1e3 - reading.ms.total)
    parts = sum(len(line.words) + len(line.chars) for line in reading.lines)
    print(f"added to a read of {len(reading.lines)} lines, {parts} words and characters: "
          f"median {statistics.median(added):.3f} ms, worst {max(added):.3f} ms of {rounds}")


def resident_mb():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def memory(engine, num_reads):
    tiny = numpy.full((8, 8, 3), 255, numpy.uint8)
    for _ in range(200):
        engine.read(tiny)
    print(f"resident memory before {num_reads} reads of 8x8 px: {resident_mb():.1f} MB")
    for number in range(1, num_reads + 1):
        engine.read(tiny)
        if number % 1000 == 0:
            print(f"  after {number}: {resident_mb():.1f} MB")


def python_rate(engine, pixels, workers, num_images):
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(engine.read, [pixels] * workers))
        start = time.perf_counter()
        list(pool.map(engine.read, [pixels] * num_images))
        return num_images / (time.perf_counter() - start)


def command_rate(arguments, workers, folder):
    out = folder / "bench.json"
    subprocess.run([arguments.command, "bench", "--input", str(folder / "images"), "--size", arguments.size, "--threads",
                    str(arguments.threads or len(os.sched_getaffinity(0))), "--workers", str(workers), "--backend", "cpu",
                    "--out", str(out)], check=True, capture_output=True)
    return json.loads(out.read_text())["summary"]["images_per_s"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("image", type=pathlib.Path)
    parser.add_argument("--size", default="tiny")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--tiny-reads", type=int, default=10_000)
    parser.add_argument("--command", default="")
    arguments = parser.parse_args()
    engine = inkread.Engine(arguments.size, backend="cpu", num_threads=arguments.threads)
    pixels = numpy.asarray(PIL.Image.open(arguments.image).convert("RGB"))
    overhead(engine, pixels, arguments.rounds)
    overhead(engine, pixels, arguments.rounds, words=True, chars=True)
    memory(engine, arguments.tiny_reads)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "images").mkdir()
        for number in range(arguments.images):
            (folder / "images" / f"{number}{arguments.image.suffix}").symlink_to(arguments.image.resolve())
        for workers in (1, arguments.workers) * 2:
            said = f"{workers} Python threads: {python_rate(engine, pixels, workers, arguments.images):.2f} images/s"
            if arguments.command:
                said += f"; C++ with {workers} workers: {command_rate(arguments, workers, folder):.2f} images/s"
            print(said)
