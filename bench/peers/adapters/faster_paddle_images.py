"""faster-paddle: Rust with ONNX Runtime linked in. It accepts files only and has its own exports of the networks.

It gets uncompressed bitmaps, so that decoding within the measured time is only a copy. Its boxes have upright sides.
"""
import importlib.metadata
import re

import faster_paddle

from .base import ImageEngine, to_line


class Engine(ImageEngine):
    def __init__(self, job):
        limits = {"det_max_side": 4000, "det_min_side": 0, "rec_min_width": 320} if job["options"].get("equal") else {}
        self.engine = faster_paddle.OcrEngine(model_size=job["size"], threads=job["threads"], **limits)
        self.prepare(job)

    def open(self, path):
        with open(path, "rb") as file:
            return file.read()

    def read(self, image):
        lines = []
        for found in self.engine.ocr(image)["bounds"].values():
            (x0, y0), (x1, y1) = found["topLeftCoord"], found["bottomRightCoord"]
            lines.append(to_line(found["text"], found["confidence"], [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
        return lines

    def describe(self):
        runtime = re.search(r"rel-([\d.]+)", faster_paddle.__runtime_build__)
        version = importlib.metadata.version("faster-paddle")
        return {"version": f"{version}, onnxruntime {runtime.group(1)}" if runtime else version, "precision": "f32"}
