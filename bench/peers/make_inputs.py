"""Prepares the inputs of a session; run in the environment `reference`: make_inputs.py OUT < JSON > JSON

In   {"images": [paths], "medium": bool}
Out  {"images": [{"file", "pixels", "width", "height"}],
      "inputs": {"det": {"input", "nhwc", "shape"}, "rec": ...}, "medium": folder or null}

Every image is decoded once and written as an uncompressed bitmap, so that all engines get the same pixels and spend no
time on decoding. The input of the networks is seeded noise, as .npy in [n, c, h, w] and as raw f32 in [n, h, w, c].
"""
import json
import os
import shutil
import sys

import cv2
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STANDIN = os.path.join(os.path.dirname(os.path.dirname(HERE)), "tests", "oracle", "medium_standin")
SHAPES = {"det": (1, 3, 736, 960), "rec": (6, 3, 48, 320)}


def decode(paths, folder):
    shutil.rmtree(folder, ignore_errors=True)  # inkread reads the whole folder, so it must hold nothing else
    os.makedirs(folder)
    for i, path in enumerate(paths):
        pixels = cv2.imread(path, cv2.IMREAD_COLOR)
        if pixels is None:
            raise SystemExit(f"{path} is not an image")
        target = os.path.join(folder, f"{i:04d}.bmp")
        cv2.imwrite(target, pixels)
        yield {"file": os.path.basename(path), "pixels": target, "width": pixels.shape[1], "height": pixels.shape[0]}


def network_inputs(folder):
    os.makedirs(folder, exist_ok=True)
    result = {}
    for net, shape in SHAPES.items():
        x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
        paths = {
            "input": os.path.join(folder, f"{net}.npy"),
            "nhwc": os.path.join(folder, f"{net}.nhwc.f32"),
            "shape": list(shape),
        }
        np.save(paths["input"], x)
        np.ascontiguousarray(x.transpose(0, 2, 3, 1)).tofile(paths["nhwc"])
        result[net] = paths
    return result


def medium_standin(folder):
    sys.path.insert(0, STANDIN)
    import fill
    os.makedirs(folder, exist_ok=True)
    for net in SHAPES:
        target = os.path.join(folder, f"{net}.onnx")
        if not os.path.exists(target):
            fill.fill(os.path.join(STANDIN, f"{net}.skeleton.onnx"), target + ".part")
            os.replace(target + ".part", target)
    return folder


def main():
    out, wanted = sys.argv[1], json.load(sys.stdin)
    json.dump({"images": list(decode(wanted["images"], os.path.join(out, "pixels"))),
               "inputs": network_inputs(os.path.join(out, "inputs")),
               "medium": medium_standin(os.path.join(out, "medium")) if wanted["medium"] else None}, sys.stdout)


if __name__ == "__main__":
    main()
