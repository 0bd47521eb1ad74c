"""Base classes of engines: they time a round over images or over networks.

An Engine is constructed from the job and has warm(), go() and describe(). go() runs one round and returns
{"images": [{"ms", "lines"}]} in the job's order, or {"networks": {name: ms}}. describe() returns the fields of `engine`
that only the engine knows: version and precision.
"""
import statistics
import time


class ImageEngine:
    """Subclasses have open(path), which loads an image, and read(image), which returns lines and is timed."""

    def prepare(self, job):
        self.images = [self.open(p["pixels"]) for p in job["images"]]

    def warm(self):
        for image in self.images:
            self.read(image)

    def go(self):
        images = []
        for image in self.images:
            start = time.perf_counter()
            lines = self.read(image)
            ms = (time.perf_counter() - start) * 1e3
            images.append({"ms": ms, "lines": lines})
        return {"images": images}


class NetworkEngine:
    """Subclasses have open(network), which returns a function without arguments that runs it once."""

    def prepare(self, job):
        self.runs = job["runs"]
        self.networks = {network["name"]: self.open(network) for network in job["networks"]}

    def warm(self):
        for run in self.networks.values():
            run()
            run()

    def go(self):
        result = {}
        for name, run in self.networks.items():
            times = []
            for _ in range(self.runs):
                start = time.perf_counter()
                run()
                times.append((time.perf_counter() - start) * 1e3)
            result[name] = statistics.median(times)
        return {"networks": result}


def to_line(text, score, quad):
    return {"text": str(text), "score": float(score), "quad": [[float(x), float(y)] for x, y in quad]}
