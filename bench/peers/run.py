#!/usr/bin/env python3
"""Times inkread and other engines alternately in one session; prints Markdown tables and writes a result file.

    run.py --inkread build/release/apps/inkread --images DIR [--truth FILE] [--sizes tiny small] [--threads 1 2]
           [--rounds 3] [--what networks images] [--peers NAME ...] [--medium] [--out FILE.json]

Each engine runs in its own process, which is loaded and warmed up first. Within a round the engines work one after
another, and each round begins with another engine. All get the same decoded pixels, the same number of threads and as
many CPUs. Peers are installed below build/peers/ from pinned requirements when first used (needs pip and the network).
The models must have been fetched.

networks  single networks on noise: detector 1x3x736x960, recogniser 6x3x48x320; --medium adds medium, random weights
images    whole images; with a truth also the number of exact lines
--list    prints the engines that --peers accepts
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import environments  # noqa: E402
import report  # noqa: E402
import result  # noqa: E402
import session  # noqa: E402
from peers import PEERS  # noqa: E402

BUILD_FIELDS = ("instruction_set", "compiler", "commit")
IMAGES = (".jpg", ".jpeg", ".png", ".bmp")


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inkread", help="the command, built for release")
    parser.add_argument("--run-network", help="the program run_network (default: of the same build)")
    parser.add_argument("--images", help="folder of images")
    parser.add_argument("--truth", help="truth.json of the images")
    parser.add_argument("--sizes", nargs="+", default=["tiny", "small"])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=5, help="runs of a network per round; their median counts")
    parser.add_argument("--limit", type=int, help="use the first LIMIT images of the folder only")
    parser.add_argument("--what", nargs="+", choices=["networks", "images"], default=["networks", "images"])
    parser.add_argument("--peers", nargs="+", help="default: all", metavar="NAME")
    parser.add_argument("--medium", action="store_true")
    parser.add_argument("--out", help="write the result as JSON")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        for name, peer in PEERS.items():
            print(f"{name:30s} {' '.join(peer.what):18s} {peer.settings}")
        sys.exit(0)
    if not args.inkread or ("images" in args.what and not args.images):
        parser.error("--inkread is required, and --images for images")
    unknown = set(args.peers or []) - set(PEERS)
    if unknown:
        parser.error(f"unknown peers: {', '.join(sorted(unknown))} (see --list)")
    if max(args.threads) > len(os.sched_getaffinity(0)):
        parser.error(f"only {len(os.sched_getaffinity(0))} CPUs are available")
    args.inkread = os.path.abspath(args.inkread)
    args.run_network = os.path.abspath(
        args.run_network or os.path.join(os.path.dirname(args.inkread), "..", "tests", "golden", "run_network")
    )
    return args


def inputs(args):
    names = sorted(n for n in os.listdir(args.images) if n.lower().endswith(IMAGES)) if "images" in args.what else []
    wanted = {"images": [os.path.join(args.images, n) for n in names[:args.limit]], "medium": args.medium}
    if "images" in args.what and not wanted["images"]:
        sys.exit(f"no images in {args.images}")
    try:
        python = environments.python_of("reference")
    except environments.NotAvailable as reason:
        sys.exit(f"the environment that decodes the images cannot be installed: {reason}")
    made = subprocess.run(
        [python, "-B", os.path.join(HERE, "make_inputs.py"), environments.BUILD],
        input=json.dumps(wanted),
        stdout=subprocess.PIPE,
        text=True,
    )
    if made.returncode:
        sys.exit(made.returncode)  # it has printed the reason
    return json.loads(made.stdout)


def chosen(args, what):
    """The table rows of inkread and of the requested peers that support `what`; inkread first."""
    names = ["inkread", *(n for n in (args.peers or PEERS) if n != "inkread")]
    return {n: PEERS[n] for n in names if what in PEERS[n].what}


def engine_fields(name, peer, known, size, threads):
    official = name.startswith("inkread")
    return {
        "name": name,
        "version": known["version"],
        "size": size,
        "profile": "pipeline" if official else None,
        "precision": known["precision"],
        "backend": "cpu",
        "threads": threads,
        "workers": 1,
        "settings": peer.settings,
    }


def rate(entry, base):
    """The engine's time divided by inkread's in the same round, median over the rounds."""
    if base is None:
        return None
    return statistics.median(mine / ours for mine, ours in zip(entry["rounds_ms"], base["rounds_ms"]))


def run_networks(args, prepared, models, document, missing):
    sizes = [(size, os.path.join(models, size)) for size in args.sizes] + (
        [("medium stand-in", prepared["medium"])] if args.medium else []
    )
    for size, folder in sizes:
        networks = [
            {"name": f"{size} {net}", "model": os.path.join(folder, f"{net}.onnx"), **prepared["inputs"][net]}
            for net in ("det", "rec")
        ]
        for threads in args.threads:
            job = {
                "title": f"networks, {size}, threads: {threads}",
                "inkread": args.inkread,
                "run_network": args.run_network,
                "threads": threads,
                "size": size,
                "models": models,
                "networks": networks,
                "runs": args.runs,
            }
            peers = chosen(args, "networks")
            done = session.alternate(peers, job, args.rounds, missing, say)
            set_build_fields(document, done)
            for network in networks:
                entries = [
                    {
                        "network": network["name"],
                        "shape": network["shape"],
                        "engine": engine_fields(name, peers[name], known, size, threads),
                        "rounds_ms": [a["networks"][network["name"]] for a in answers],
                        "ratio": None,
                    }
                    for name, (known, answers) in done.items()
                ]
                base = next((e for e in entries if e["engine"]["name"] == "inkread"), None)
                for entry in entries:
                    entry["ratio"] = rate(entry, base)
                document["networks"] += entries


def reading(prepared, truth, engine, machine, answers):
    """The result of one engine: times are medians over the rounds, texts are those of the last round."""
    images = []
    for i, image in enumerate(prepared["images"]):
        rounds = [a["images"][i] for a in answers]
        times = [r["ms"] for r in rounds]
        stages = {stage: statistics.median(r["stages"][stage] for r in rounds) for stage in rounds[0].get("stages", {})}
        images.append(
            {
                "file": image["file"],
                "width": image["width"],
                "height": image["height"],
                "ms": statistics.median(times),
                "stages": stages,
                "lines": rounds[-1]["lines"],
                "rounds_ms": times,
            }
        )
        if any([line["text"] for line in r["lines"]] != [line["text"] for line in rounds[-1]["lines"]] for r in rounds):
            say(f"   {engine['name']} reads {image['file']} differently in different rounds")
    summary = result.summarise(images, truth, answers[-1]["rss_after_load_bytes"], answers[-1]["rss_peak_bytes"])
    summary["decoded_bytes"] = sum(3 * p["width"] * p["height"] for p in images)
    return {
        "schema": result.SCHEMA,
        "kind": "reading",
        "machine": machine,
        "engine": engine,
        "images": images,
        "summary": summary,
    }


def run_images(args, prepared, models, document, missing):
    truth = result.load_truth(args.truth) if args.truth else None
    for size in args.sizes:
        for threads in args.threads:
            job = {
                "title": f"images, {size}, threads: {threads}",
                "inkread": args.inkread,
                "threads": threads,
                "size": size,
                "models": models,
                "images": prepared["images"],
            }
            peers = chosen(args, "images")
            done = session.alternate(peers, job, args.rounds, missing, say)
            set_build_fields(document, done)
            entries = []
            for name, (known, answers) in done.items():
                machine = result.machine(*(known.get(key) for key in BUILD_FIELDS))
                engine = engine_fields(name, peers[name], known, size, threads)
                entries.append({"result": reading(prepared, truth, engine, machine, answers), "ratio": None,
                                "rounds_ms": [statistics.fmean(p["ms"] for p in a["images"]) for a in answers]})
            base = next((e for e in entries if e["result"]["engine"]["name"] == "inkread"), None)
            for entry in entries:
                entry["ratio"] = rate(entry, base)
            document["readings"] += entries


def set_build_fields(document, done):
    """Copies the build fields of inkread into the machine of the document."""
    known = done.get("inkread", ({}, []))[0]
    document["machine"].update({key: known[key] for key in BUILD_FIELDS if key in known})


def main():
    args = arguments()
    models = subprocess.run([args.inkread, "models", "path"], check=True, capture_output=True, text=True).stdout.strip()
    prepared = inputs(args)
    words = [os.path.relpath(w) if os.path.isabs(w) else w for w in sys.argv[1:]]
    document = {
        "schema": result.SCHEMA,
        "kind": "comparison",
        "command": "bench/peers/run.py " + shlex.join(words),
        "rounds": args.rounds,
        "machine": result.machine(),
        "networks": [],
        "readings": [],
        "not_available": [],
    }
    missing = {}
    for what, run in (("networks", run_networks), ("images", run_images)):
        if what in args.what:
            run(args, prepared, models, document, missing)
    document["not_available"] = [
        {"peer": name, "reason": f"{reason} ({'; '.join(jobs)})"} for (name, reason), jobs in missing.items()
    ]
    result.validate(document)
    print(report.whole(document))
    if args.out:
        result.save(document, args.out)


if __name__ == "__main__":
    main()
