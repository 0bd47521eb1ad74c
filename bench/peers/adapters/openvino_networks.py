"""OpenVINO on single networks, in f32 or in the precision that is its default on this CPU."""
import numpy as np
import openvino

from .base import NetworkEngine


class Engine(NetworkEngine):
    def __init__(self, job):
        self.core = openvino.Core()
        self.settings = {"INFERENCE_NUM_THREADS": job["threads"], "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
        if "precision" in job["options"]:
            self.settings["INFERENCE_PRECISION_HINT"] = job["options"]["precision"]
        self.prepare(job)

    def open(self, network):
        x = np.load(network["input"])
        model = self.core.read_model(network["model"])
        model.reshape(list(x.shape))
        compiled = self.core.compile_model(model, "CPU", self.settings)
        self.precision = compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
        request = compiled.create_infer_request()
        request.set_input_tensor(openvino.Tensor(x))
        return request.infer

    def describe(self):
        return {"version": openvino.__version__.split("-")[0], "precision": self.precision}
