"""Runs several engines alternately, each in a worker process that is loaded and warmed up; only one works at a time.

A job, as a worker receives it, has title, adapter, options, size, threads, cpus, models (folder of all sizes), inkread
and run_network. It also has either images [{file, pixels, width, height}], or runs and networks [{name, model, shape,
input, nhwc}].
"""

import json
import os
import selectors
import subprocess
import time

import environments
from environments import NotAvailable

TIMEOUT_S = 1800
PAUSE_S = 0.3  # lets the threads of an engine stop spinning before the next engine starts
# The only environment variables of the caller that the engines see; OPENBLAS_*, OMP_* and so on are not among them.
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH")


def cpus_for(threads):
    """As many CPUs as threads: one per core first, then their siblings."""
    allowed, by_sibling = sorted(os.sched_getaffinity(0)), []
    seen = {}
    for cpu in allowed:
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as file:
                core = file.read()
        except OSError:
            core = cpu
        by_sibling.append((seen.setdefault(core, 0), cpu))
        seen[core] += 1
    return [cpu for _, cpu in sorted(by_sibling)][:threads]


class Worker:
    """An engine in its own process. Raises NotAvailable if it cannot start, does not answer or ends early."""

    def __init__(self, name, peer, job):
        self.name = name
        python = environments.python_of(peer.environment)
        logs = os.path.join(environments.BUILD, "logs")
        os.makedirs(logs, exist_ok=True)
        self.log = os.path.join(logs, f"{name}.log")
        self.read_end, write_end = os.pipe()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [python, "-B", os.path.join(environments.HERE, "worker.py"), str(write_end)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=[write_end],
                env={k: os.environ[k] for k in KEPT_VARIABLES if k in os.environ},
            )
        os.close(write_end)
        self.pending = b""
        try:
            answer = self.ask(json.dumps({**job, "adapter": peer.adapter, "options": peer.options}))
            if "unavailable" in answer:
                raise NotAvailable(answer["unavailable"])
        except NotAvailable:
            self.close()
            raise
        self.engine = answer["ready"]

    def ask(self, line):
        """Sends a line of text and returns the answer, a line of JSON."""
        deadline = time.monotonic() + TIMEOUT_S
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the read below reports the exit code
        with selectors.DefaultSelector() as selector:
            selector.register(self.read_end, selectors.EVENT_READ)
            while b"\n" not in self.pending:
                if not selector.select(deadline - time.monotonic()):
                    raise NotAvailable(f"no answer within {TIMEOUT_S} s, see {self.log}")
                piece = os.read(self.read_end, 1 << 20)
                if not piece:
                    raise NotAvailable(f"ended with exit code {self.process.wait()}, see {self.log}")
                self.pending += piece
        answer, _, self.pending = self.pending.partition(b"\n")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)


def alternate(peers, job, rounds, missing, say):
    """Returns {name: (engine fields, answers of all rounds)} of the peers that finished.

    The others are added to `missing`, a dictionary of (name, reason) to [titles of jobs]. Each round begins with
    another engine, so that no engine always runs first.
    """
    workers, answers = {}, {}
    job = {**job, "cpus": cpus_for(job["threads"])}
    say("== " + job["title"])
    try:
        for name, peer in peers.items():
            say(f"loading {name}")
            try:
                workers[name] = Worker(name, peer, job)
                answers[name] = []
            except NotAvailable as reason:
                missing.setdefault((name, str(reason)), []).append(job["title"])
        for number in range(rounds):
            names = list(workers)
            for name in names[number % len(names):] + names[:number % len(names)] if names else []:
                say(f"round {number + 1} of {rounds}: {name}")
                time.sleep(PAUSE_S)
                try:
                    answers[name].append(workers[name].ask("go"))
                except NotAvailable as reason:
                    missing.setdefault((name, str(reason)), []).append(job["title"])
                    workers.pop(name).close()
                    del answers[name]
        return {name: (workers[name].engine, answers[name]) for name in answers}
    finally:
        for worker in workers.values():
            worker.close()
