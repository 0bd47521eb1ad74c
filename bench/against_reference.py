#!/usr/bin/env python3
"""Times inkread and reference.py on the same pictures, in turns, and prints sums of warm times and their ratio.

    against_reference.py INKREAD PICTURES [--sizes tiny small] [--threads 1 2] [--rounds 3] [--profile pipeline]

INKREAD is the command, PICTURES a folder. Each round runs inkread once over the pictures twice (the first pass warms it)
and reference.py once over the pictures (warmed before the first round); loading is left out on both sides. A picture's time is the
median of the rounds. Needs tests/oracle/requirements.txt and fetched models.
"""
import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "oracle"))
import cv2  # noqa: E402
import reference  # noqa: E402


def inkread_times(command, pictures, size, threads, profile):
    run = subprocess.run([command, "read", "--json", "--size", size, "--threads", str(threads), "--profile", profile,
                          *pictures, *pictures], check=True, capture_output=True, text=True)
    images = json.loads(run.stdout)["images"][len(pictures):]
    return [image["ms"]["total"] for image in images]


class Reference(reference.Reference):
    """reference.py on a folder that `inkread models fetch` filled."""

    def __init__(self, folder, profile, threads):
        settings = dict(line.split(" ", 1) for line in open(os.path.join(folder, "settings.txt"), encoding="utf-8")
                        if not line.startswith("sha256"))
        self.p = dict(reference.PROFILES[profile], max_candidates=int(settings["det_max_candidates"]))
        for key, name in (("thresh", "det_thresh"), ("box_thresh", "det_box_thresh"), ("unclip", "det_unclip_ratio")):
            if self.p[key] is None:
                self.p[key] = float(settings[name])
        entries = open(os.path.join(folder, "dictionary.txt"), encoding="utf-8", newline="\n").read().split("\n")[:-1]
        self.charset = ["<blank>", *entries, " "]
        self.det = reference.open_model(os.path.join(folder, "det.onnx"), threads)
        self.rec = reference.open_model(os.path.join(folder, "rec.onnx"), threads)
        self.cls, self.batch = None, 6

    def times(self, images):
        result = []
        for image in images:
            start = time.perf_counter()
            self(image)
            result.append((time.perf_counter() - start) * 1e3)
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inkread")
    parser.add_argument("pictures")
    parser.add_argument("--sizes", nargs="+", default=["tiny", "small"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", default="pipeline")
    args = parser.parse_args()
    pictures = sorted(glob.glob(os.path.join(args.pictures, "*.jpg")) + glob.glob(os.path.join(args.pictures, "*.png")))
    images = [cv2.imread(p, cv2.IMREAD_COLOR) for p in pictures]
    models = subprocess.run([args.inkread, "models", "path"], check=True, capture_output=True, text=True).stdout.split()[0]
    print(f"{len(pictures)} pictures, {args.profile}, {args.rounds} rounds; sums of medians in ms, [sums of the quickest, of the slowest]")
    for size in args.sizes:
        for threads in args.threads:
            peer = Reference(os.path.join(models, size), args.profile, threads)
            peer.times(images)
            rounds = [(inkread_times(args.inkread, pictures, size, threads, args.profile), peer.times(images))
                      for _ in range(args.rounds)]
            sums = []
            for side in (0, 1):
                by_picture = list(zip(*(r[side] for r in rounds)))
                sums.append([sum(pick(t) for t in by_picture) for pick in (statistics.median, min, max)])
            print(f"{size:6s} {threads} threads  inkread {sums[0][0]:7.0f} [{sums[0][1]:.0f}, {sums[0][2]:.0f}]  "
                  f"reference.py {sums[1][0]:7.0f} [{sums[1][1]:.0f}, {sums[1][2]:.0f}]  ratio {sums[0][0] / sums[1][0]:.3f}", flush=True)


if __name__ == "__main__":
    main()
