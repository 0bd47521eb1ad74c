"""Runs one engine in its own process: worker.py FD

session.py starts it with the engine's Python. Standard input is a line of JSON, the job (see session.py), and then a
line "go" for each round; it ends at end of file. Answers are lines of JSON on the file descriptor FD, not on standard
output, where engines print text of their own: {"ready": engine fields} or {"unavailable": reason}, then one per round.
"""
import importlib
import json
import os
import re
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))


def memory(field):
    with open("/proc/self/status", encoding="ascii") as file:
        return int(re.search(field + r":\s*(\d+) kB", file.read()).group(1)) * 1024


def main():
    answers = os.fdopen(int(sys.argv[1]), "w", encoding="utf-8")

    def answer(message):
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    job = json.loads(sys.stdin.readline())
    os.sched_setaffinity(0, job["cpus"])
    sys.path[:0] = [HERE, os.path.dirname(HERE)]
    try:
        engine = importlib.import_module("adapters." + job["adapter"]).Engine(job)
        loaded = memory("VmRSS")
        engine.warm()
        answer({"ready": engine.describe()})
    except Exception as error:
        traceback.print_exc()
        answer({"unavailable": f"{type(error).__name__}: {error}".splitlines()[0][:300]})
        return
    for line in sys.stdin:
        if line.strip() != "go":
            sys.exit(f"worker: expected go, got {line!r}")
        answer({"rss_after_load_bytes": loaded, "rss_peak_bytes": memory("VmHWM"), **engine.go()})


if __name__ == "__main__":
    main()
