#!/usr/bin/env python3
"""Tests of session.py, with a stand-in for inkread's programs that logs each call with its environment."""
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import environments  # noqa: E402
import session  # noqa: E402
from peers import PEERS, Peer  # noqa: E402

# Answers `inkread --version` and works as run_network. The name of the model selects what it does.
STAND_IN = """#!{python}
import json, os, sys
if sys.argv[1] == "--version":
    print("inkread 9.9 (commit abc, cpu avx9)")
    sys.exit()
model = sys.argv[1]
if model.endswith("broken"):
    sys.exit(3)
print("1 1 1 1", flush=True)
for line in sys.stdin:
    runs = int(line)
    with open(os.path.join({folder!r}, "log"), "a") as log:
        log.write(json.dumps({{"model": os.path.basename(model), "runs": runs, "threads": sys.argv[3],
                               "cpus": len(os.sched_getaffinity(0)), "variables": sorted(os.environ)}}) + "\\n")
    if model.endswith("short") and runs == 3:
        sys.exit(4)
    print(*range(1, runs + 1), flush=True)
"""


def network(name):
    return {"name": "net", "model": name, "shape": [1, 3, 32, 32], "nhwc": "none", "input": "none"}


class AlternateTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build, environments.BUILD = environments.BUILD, self.folder.name
        self.addCleanup(setattr, environments, "BUILD", self.build)
        self.program = os.path.join(self.folder.name, "program")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(STAND_IN.format(python=sys.executable, folder=self.folder.name))
        os.chmod(self.program, 0o755)

    def run_session(self, adapters, rounds, model="good"):
        job = {
            "title": "a job",
            "inkread": self.program,
            "run_network": self.program,
            "threads": 1,
            "runs": 3,
            "networks": [network(model)],
        }
        missing = {}
        peers = {name: Peer(adapter, None, ("networks",), {}, "") for name, adapter in adapters.items()}
        return session.alternate(peers, job, rounds, missing, lambda text: None), missing

    def log(self):
        with open(os.path.join(self.folder.name, "log"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_every_engine_answers_every_round(self):
        done, missing = self.run_session({"a": "inkread", "b": "inkread"}, 3)
        self.assertEqual(missing, {})
        for name in ("a", "b"):
            engine, answers = done[name]
            self.assertEqual((engine["version"], engine["commit"], engine["instruction_set"]), ("9.9", "abc", "avx9"))
            self.assertEqual([a["networks"] for a in answers], [{"net": 2.0}] * 3)
            self.assertTrue(all(a["rss_after_load_bytes"] <= a["rss_peak_bytes"] for a in answers))
        self.assertEqual(
            [entry["runs"] for entry in self.log()], [2, 2] + [3] * 6
        )  # all are warmed up before the first round

    def test_engines_get_their_threads_and_nothing_of_the_environment(self):
        os.environ["OPENBLAS_NUM_THREADS"] = "7"
        self.addCleanup(os.environ.pop, "OPENBLAS_NUM_THREADS")
        self.run_session({"a": "inkread"}, 1)
        for entry in self.log():
            self.assertEqual((entry["threads"], entry["cpus"]), ("1", 1))
            self.assertNotIn("OPENBLAS_NUM_THREADS", entry["variables"])

    def test_an_engine_that_cannot_start_is_named_and_the_others_go_on(self):
        done, missing = self.run_session({"a": "inkread", "b": "no_such_adapter"}, 1)
        self.assertEqual(list(done), ["a"])
        (name, reason), jobs = next(iter(missing.items()))
        self.assertEqual((name, jobs), ("b", ["a job"]))
        self.assertIn("no_such_adapter", reason)

    def test_a_program_that_ends_at_once(self):
        done, missing = self.run_session({"a": "inkread"}, 1, "broken")
        self.assertEqual(done, {})
        self.assertIn("ended with 3", next(iter(missing))[1])

    def test_an_engine_that_ends_in_a_round(self):
        done, missing = self.run_session({"a": "inkread"}, 2, "short")
        self.assertEqual(done, {})
        self.assertIn("ended with exit code", next(iter(missing))[1])


class TableTest(unittest.TestCase):
    def test_every_peer_has_its_adapter_and_requirements(self):
        for name, peer in PEERS.items():
            self.assertTrue(os.path.exists(os.path.join(HERE, "adapters", f"{peer.adapter}.py")), name)
            if peer.environment:
                with open(environments.requirements(peer.environment), encoding="utf-8") as file:
                    pins = file.read().split()
                self.assertTrue(pins and all("==" in pin for pin in pins), name)
            self.assertTrue(set(peer.what) <= {"networks", "images"} and peer.what, name)

    def test_cpus(self):
        allowed = os.sched_getaffinity(0)
        self.assertEqual(set(session.cpus_for(len(allowed))), allowed)
        self.assertEqual(len(session.cpus_for(1)), 1)


if __name__ == "__main__":
    unittest.main()
