"""tests/oracle/reference.py, the official pipeline with ONNX Runtime and OpenCV, on models fetched by inkread."""
import os
import sys

import cv2
import onnxruntime

from .base import ImageEngine, to_line

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "tests", "oracle"))
import reference  # noqa: E402


class Pipeline(reference.Reference):
    """Reference without its constructor, which reads the official YAML files; the models folder has none."""

    def __init__(self, folder, threads):
        with open(os.path.join(folder, "settings.txt"), encoding="utf-8") as file:
            settings = dict(line.split(" ", 1) for line in file if not line.startswith("sha256"))
        self.p = dict(reference.PROFILES["pipeline"], max_candidates=int(settings["det_max_candidates"]))
        with open(os.path.join(folder, "dictionary.txt"), encoding="utf-8", newline="\n") as file:
            self.charset = ["<blank>", *file.read().split("\n")[:-1], " "]
        self.det = reference.open_model(os.path.join(folder, "det.onnx"), threads)
        self.rec = reference.open_model(os.path.join(folder, "rec.onnx"), threads)
        self.cls, self.batch = None, 6


class Engine(ImageEngine):
    def __init__(self, job):
        self.pipeline = Pipeline(os.path.join(job["models"], job["size"]), job["threads"])
        cv2.setNumThreads(job["threads"])
        self.prepare(job)

    def open(self, path):
        return cv2.imread(path, cv2.IMREAD_COLOR)

    def read(self, image):
        return [to_line(line["text"], line["score"], line["box"]) for line in self.pipeline(image)["lines"]]

    def describe(self):
        return {"version": f"onnxruntime {onnxruntime.__version__}, opencv {cv2.__version__}", "precision": "f32"}
