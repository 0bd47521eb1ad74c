"""inkread: networks with the program run_network, images with `inkread bench`.

The command is started once per round. It loads the models, reads all images once to warm up and then once measured, one
image at a time. Loading and warm-up do not count, as for the other engines.
"""
import os
import re
import statistics
import subprocess
import tempfile

import result


class Engine:
    def __init__(self, job):
        self.job = job
        self.precision = job["options"].get("precision", "precise")
        text = subprocess.run([job["inkread"], "--version"], check=True, capture_output=True, text=True).stdout
        version = re.match(
            r"inkread (?P<version>\S+)(?: \(commit (?P<commit>\w+), cpu (?P<instruction_set>\w+)\))?", text
        )
        self.known = {**version.groupdict(), "precision": self.precision}
        self.programs = {n["name"]: self.start(n) for n in job.get("networks", [])}

    def start(self, network):
        n, _, h, w = map(str, network["shape"])
        program = subprocess.Popen(
            [
                self.job["run_network"],
                network["model"],
                "cpu",
                str(self.job["threads"]),
                network["nhwc"],
                os.devnull,
                n,
                h,
                w,
                "-",
                self.precision,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if not program.stdout.readline():
            raise RuntimeError(f"run_network {network['model']} ended with {program.wait()}")
        return program

    def times(self, program, runs):
        program.stdin.write(f"{runs}\n")
        program.stdin.flush()
        times = [float(t) for t in program.stdout.readline().split()]
        if len(times) != runs:
            raise RuntimeError(f"run_network ended with {program.wait()}")
        return times

    def bench(self):
        """The result of one measured pass over the images."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "result.json")
            subprocess.run(
                [
                    self.job["inkread"],
                    "bench",
                    "--input",
                    os.path.dirname(self.job["images"][0]["pixels"]),
                    "--out",
                    out,
                    "--size",
                    self.job["size"],
                    "--threads",
                    str(self.job["threads"]),
                    "--models",
                    self.job["models"],
                    "--backend",
                    "cpu",
                    "--profile",
                    "pipeline",
                    "--precision",
                    self.precision,
                    "--strict",
                    "--warmup",
                    "1",
                    *self.job["options"].get("arguments", []),
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            document = result.load(out)
        self.known = {**{key: document["machine"][key] for key in ("instruction_set", "compiler", "commit")},
                      **{key: document["engine"][key] for key in ("version", "precision")}}
        return document

    def warm(self):
        if self.programs:
            for program in self.programs.values():
                self.times(program, 2)
        else:
            self.bench()

    def go(self):
        if self.programs:
            return {
                "networks": {
                    name: statistics.median(self.times(p, self.job["runs"])) for name, p in self.programs.items()
                }
            }
        document = self.bench()
        by_file = {image["file"]: image for image in document["images"]}
        images = [by_file[os.path.basename(p["pixels"])] for p in self.job["images"]]
        return {"images": [{key: image[key] for key in ("ms", "stages", "lines")} for image in images],
                **{key: document["summary"][key] for key in ("rss_after_load_bytes", "rss_peak_bytes")}}

    def describe(self):
        return self.known
