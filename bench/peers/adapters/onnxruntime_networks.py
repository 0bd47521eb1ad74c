"""ONNX Runtime on single networks, in f32."""
import numpy as np
import onnxruntime

from .base import NetworkEngine


class Engine(NetworkEngine):
    def __init__(self, job):
        self.threads = job["threads"]
        self.prepare(job)

    def open(self, network):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self.threads, 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(network["model"], options, providers=["CPUExecutionProvider"])
        feed = {session.get_inputs()[0].name: np.load(network["input"])}
        return lambda: session.run(None, feed)

    def describe(self):
        return {"version": onnxruntime.__version__, "precision": "f32"}
