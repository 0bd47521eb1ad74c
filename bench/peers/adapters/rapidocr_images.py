"""RapidOCR with ONNX Runtime or OpenVINO, and RapidOCRLite, a native engine with the same interface and import name.

Both use the models that `inkread models fetch` stored: the official files, including dictionary and classifier.
"""
import importlib.metadata
import logging
import os

os.environ["PPOCR_BENCH_THREADS"] = str(len(os.sched_getaffinity(0)))  # RapidOCRLite has no other setting for threads
import numpy as np  # noqa: E402
import rapidocr  # noqa: E402

from .base import ImageEngine, to_line  # noqa: E402


class Engine(ImageEngine):
    def __init__(self, job):
        options, threads = job["options"], job["threads"]
        self.kind = options["engine"]
        folder = os.path.join(job["models"], job["size"])
        params = {
            "Global.log_level": "warning",
            "Det.model_path": os.path.join(folder, "det.onnx"),
            "Rec.model_path": os.path.join(folder, "rec.onnx"),
            "Rec.rec_keys_path": os.path.join(folder, "dictionary.txt"),
            "Cls.model_path": os.path.join(folder, "cls.onnx"),
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "EngineConfig.openvino.inference_num_threads": threads,
        }
        if options.get("equal"):
            params.update(
                {
                    "Global.use_cls": False,
                    "Global.text_score": 0.0,
                    "Global.max_side_len": 4000,
                    "Global.use_vertical_padding": False,
                    "Det.limit_type": "min",
                    "Det.limit_side_len": 64,
                    "Det.mean": [0.485, 0.456, 0.406],
                    "Det.std": [0.229, 0.224, 0.225],
                    "Det.thresh": 0.3,
                    "Det.box_thresh": 0.6,
                    "Det.unclip_ratio": 1.5,
                    "Det.max_candidates": 3000,
                    "Det.use_dilation": False,
                }
            )
        if options.get("fast"):
            params["Rec.fast_mode"] = True
        if self.kind == "openvino":
            for part in ("Det", "Cls", "Rec"):
                params[f"{part}.engine_type"] = rapidocr.EngineType.OPENVINO
            if "precision" in options:
                force_openvino_precision(options["precision"])
        if self.kind != "native":
            import cv2
            cv2.setNumThreads(threads)
        logging.disable(logging.INFO)
        self.engine = rapidocr.RapidOCR(params=params)
        self.prepare(job)

    def open(self, path):
        if self.kind == "native":
            from PIL import Image
            with Image.open(path) as image:
                return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])
        import cv2
        return cv2.imread(path, cv2.IMREAD_COLOR)

    def read(self, image):
        found = self.engine(image)
        if found.boxes is None:
            return []
        return [to_line(*line) for line in zip(found.txts, found.scores, found.boxes)]

    def describe(self):
        if self.kind == "native":
            from rapidocr import _native
            info = _native.cpu_info()
            return {"version": importlib.metadata.version("rapidocrlite"), "precision": "f32",
                    "threads": info["threads"], "instruction_set": info["active_isa"]}
        version = f"{importlib.metadata.version('rapidocr')}, {self.kind} {importlib.metadata.version(self.kind)}"
        precision = "f32"
        if self.kind == "openvino":
            compiled = self.engine.text_det.session.session.get_compiled_model()
            precision = compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
        return {"version": version, "precision": precision}


def force_openvino_precision(precision):
    """Adds the precision to the configuration that RapidOCR passes to OpenVINO; RapidOCR has no setting for it."""
    from rapidocr.inference_engine.openvino.device_config import CPUConfig
    original = CPUConfig.get_config
    CPUConfig.get_config = lambda self: {**original(self), "INFERENCE_PRECISION_HINT": precision}
