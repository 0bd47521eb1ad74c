#!/usr/bin/env python3
"""Compares texts read by a GPU backend with those of the CPU: gpu_images_test.py INKREAD BACKEND FOLDER GROUP...

A GROUP is SIZE:PRECISION:NAME,NAME...: the images FOLDER/NAME.jpg, read by one process. Texts are compared line by
line with the CPU's in `precise`. With precision `precise` they must be equal. With `fast` at most 1 % of the lines of a
group may differ, and each of these is printed. The exit code is 77 (skipped) if the folder, a device or the models are
missing.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys

import gpu_support
import support

TIMEOUT_S = 1500
LINES_PER_DIFFERENT = 100


def read(size, images, *options, env=None):
    run = subprocess.run([support.command(), "read", "--json", "--size", size, *options, *images], capture_output=True,
                         timeout=TIMEOUT_S, env=dict(os.environ, **env) if env else None)
    out, err = run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")
    if run.returncode != 0 or err:
        sys.exit(f"{options}: exit code {run.returncode}\n{err}\n{out}")
    try:
        return json.loads(out)
    except json.JSONDecodeError:
        sys.exit(f"{options}: not only JSON on standard output:\n{out}")


def differing_lines(expected, found):
    """The number of lines that differ; prints each of them."""
    count = 0
    matcher = difflib.SequenceMatcher(a=expected, b=found, autojunk=False)
    for kind, a_begin, a_end, b_begin, b_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        count += max(a_end - a_begin, b_end - b_begin)
        print(f"    cpu {expected[a_begin:a_end]}, here {found[b_begin:b_end]}")
    return count


def check(backend, device, folder, group):
    """True if the texts of the group agree with those of the CPU."""
    size, precision, names = group.split(":")
    images = [str(folder / f"{name}.jpg") for name in names.split(",")]
    cpu = read(size, images, "--backend", "cpu", "--precision", "precise")["images"]
    document = read(size, images, "--backend", backend, "--device", device, "--strict", "--precision", precision,
                    env=gpu_support.VALIDATION)
    assert document["engine"]["precision"] == precision, document["engine"]
    num_lines = num_different = 0
    for expected, found in zip(cpu, document["images"], strict=True):
        assert found["backend"] == backend and expected["lines"], found["file"]
        texts = [[line["text"] for line in entry["lines"]] for entry in (expected, found)]
        name = pathlib.Path(found["file"]).stem
        print(f"{size} {precision} {name}: {len(texts[0])} lines, {found['ms']['total']:.0f} ms")
        num_lines += len(texts[0])
        num_different += differing_lines(*texts)
    limit = 0 if precision == "precise" else num_lines // LINES_PER_DIFFERENT
    print(f"{size} {precision}: {num_different} of {num_lines} lines differ, at most {limit} allowed", flush=True)
    return num_different <= limit


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    support._command = os.path.abspath(sys.argv[1])
    backend, folder, groups = sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
    if not folder.is_dir():
        gpu_support.skip(f"no images at {folder}")
    for size in sorted({group.partition(":")[0] for group in groups}):
        if not support.has_models(size):
            gpu_support.skip(f"no models at {support.models_folder() / size}; `inkread models fetch {size}` gets them")
    device = gpu_support.first_device(backend)
    if device is None:
        gpu_support.skip(f"there is no {backend} device on this machine")
    results = [check(backend, device, folder, group) for group in groups]
    sys.exit(0 if all(results) else "texts differ")


if __name__ == "__main__":
    main()
