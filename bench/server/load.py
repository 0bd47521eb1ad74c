#!/usr/bin/env python3
"""Load and faults for `inkread serve`: load.py INKREAD [--clients 200] [--seconds 60] [--bad 0.1] ...

Starts the server on this machine's loopback with limits that faults can reach. Each client keeps a connection and sends
one request after another; a share of them is bad: cut files, wrong types, bombs, bodies over the limit, broken JSON,
senders that are too slow and clients that hang up. Every answer is compared: good ones and cut files with the bytes that
`inkread read --json --no-times -` writes for them, refusals with their status, limit and Retry-After. A probe asks
/healthz all the while. Beside answers per second it prints percentiles, fairness among the clients and the server's
memory every ten seconds.

With --bench it also alternates `inkread bench` and the server over the same images, as many workers in both, and prints
the ratio of images per second. It needs nothing but Python.

Exit code: 0, 77 without models, or 1 for a wrong or lost answer, a refusal with another code or in more than 2 s, memory that grew by more
than --max-growth from the middle of the run to its end, or a ratio below --min-ratio.
"""
import argparse
import asyncio
import collections
import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MAX_BODY = 2_000_000
REQUEST_TIME_S = 1.0  # a slow sender is refused after it
QUICK_S = 2.0  # for a refusal


def png_bomb():
    """A PNG that says it has 900 megapixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b""))


def command_answer(command, size, data):
    """What the command writes for an image; None if it cannot read it."""
    run = subprocess.run([command, "read", "--size", size, "--json", "--no-times", "-"], input=data, capture_output=True)
    return run.stdout if run.returncode == 0 else None


def post(body, path="/v1/ocr?times=false", headers=""):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{headers}\r\n").encode() + body


class Case:
    """A request and what must come of it: `expected` bytes with 200, or a status and the limit that is named."""

    def __init__(self, kind, request, status, expected=None, limit=None):
        self.kind, self.request, self.status, self.expected, self.limit = kind, request, status, expected, limit

    def wrong(self, status, headers, body):
        """What is wrong with an answer; empty: nothing."""
        if status != self.status:
            return f"status {status}, expected {self.status}: {body[:200]!r}"
        if self.expected is not None:
            return "" if body == self.expected else f"other bytes than the command's: {body[:200]!r}"
        error = json.loads(body)["error"]
        if error.get("limit") != self.limit:
            return f"limit {error.get('limit')}, expected {self.limit}"
        return "" if status != 503 or "retry-after" in headers else "no Retry-After"


def make_cases(command, size, images):
    """Good requests, and bad ones by kind."""
    good, cut = [], []
    for name, data in images.items():
        good.append(Case("good", post(data), 200, command_answer(command, size, data)))
        for share in (0.5, 0.9):
            part = data[:int(len(data) * share)]
            answer = command_answer(command, size, part)
            cut.append(Case("cut", post(part), 200 if answer else 422, answer))
        cut.append(Case("cut", post(data[:40]), 422))
    image = next(iter(images.values()))
    wrong = [Case("type", post(b"<html>no image</html>"), 415), Case("type", post(b"\0\0\0\x20ftypavif" + bytes(40)), 415),
             Case("type", post(image, headers="Content-Encoding: gzip\r\n"), 415)]
    json_type = "Content-Type: application/json\r\n"
    bad = {
        "cut": cut,
        "type": wrong,
        "bomb": [Case("bomb", post(png_bomb()), 422, limit="pixels")],
        "body": [Case("body", post(bytes(MAX_BODY + 1)), 413, limit="body")],
        "json": [Case("json", post(b'{"image": "??"}', headers=json_type), 400),
                 Case("json", post(b"[" * 100_000, headers=json_type), 400)],
        "slow": [Case("slow", post(image), 408, limit="time")],
        "hang-up": [Case("hang-up", post(image), None)],
    }
    return good, bad


class Server:

    def __init__(self, command, size, workers, max_queue):
        self.process = subprocess.Popen(
            [command, "serve", "--size", size, "--port", "0", "--threads", str(workers), "--workers", str(workers),
             "--max-body", str(MAX_BODY), "--request-time", str(REQUEST_TIME_S), "--max-queue", str(max_queue)],
            stdout=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        self.port = int(line.rsplit(":", 1)[1])

    def resident_bytes(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) * 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


class Connection:
    """A connection that is opened when it is needed."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def open(self):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)

    def close(self, reset=False):
        if self.writer is None:
            return
        if reset:
            self.writer.transport.abort()
        else:
            self.writer.close()
        self.writer = None

    async def read_answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:] if line)}
        body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, headers, body


class Tally:

    def __init__(self, num_clients):
        self.latencies = [[] for _ in range(num_clients)]  # of good requests, by client, seconds
        self.num_in_time = 0  # good answers before the end; what was under way then is still awaited
        self.counts = collections.Counter()
        self.wrong, self.lost, self.late = [], [], []
        self.health, self.memory = [], []  # seconds; (time, bytes)


async def send_slowly(connection, case):
    """Sends the beginning, then a byte now and then; returns the moment after which an answer is due."""
    connection.writer.write(case.request[:200])
    due = time.monotonic() + REQUEST_TIME_S
    for i in range(200, 230):
        await asyncio.sleep(0.1)
        if connection.reader.at_eof() or time.monotonic() > due:
            break
        connection.writer.write(case.request[i:i + 1])
    return due


async def run_request(connection, case, tally, client, dice, end):
    await connection.open()
    start = time.monotonic()
    tally.counts[case.kind] += 1
    try:
        if case.kind == "hang-up":
            connection.writer.write(case.request[:dice.choice([10, 300, len(case.request)])])
            await asyncio.sleep(dice.random() * 0.05)
            connection.close(reset=dice.random() < 0.5)
            return
        if case.kind == "slow":
            start = await send_slowly(connection, case)
        else:
            connection.writer.write(case.request)
        status, headers, body = await asyncio.wait_for(connection.read_answer(), 120)
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.TimeoutError) as error:
        connection.close()
        tally.lost.append(f"{case.kind}: {error!r}")
        return
    seconds = time.monotonic() - start
    wrong = case.wrong(status, headers, body)
    if wrong:
        tally.wrong.append(f"{case.kind}: {wrong}")
    tally.counts[f"status {status}"] += 1
    if case.kind == "good":
        tally.latencies[client].append(seconds)
        tally.num_in_time += time.monotonic() < end
    # What is refused when it has been read, as cut files are, waits its turn in the queue.
    elif case.kind in ("body", "slow") and seconds > QUICK_S:
        tally.late.append(f"{case.kind}: {seconds:.2f} s")


async def run_client(client, port, good, bad, share, end, tally, seed):
    dice = random.Random(seed * 1000 + client)
    connection = Connection(port)
    while time.monotonic() < end:
        case = dice.choice(bad[dice.choice(list(bad))]) if dice.random() < share else dice.choice(good)
        await run_request(connection, case, tally, client, dice, end)
    connection.close()


async def watch(server, end, tally):
    """Asks /healthz ten times a second and notes the server's memory."""
    start = time.monotonic()
    connection = Connection(server.port)
    while time.monotonic() < end:
        await connection.open()
        before = time.monotonic()
        connection.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status, _, _ = await asyncio.wait_for(connection.read_answer(), 60)
        tally.health.append(time.monotonic() - before)
        if status != 200:
            tally.wrong.append(f"/healthz: {status}")
        tally.memory.append((time.monotonic() - start, server.resident_bytes()))
        await asyncio.sleep(0.1)
    connection.close()


async def run_load(server, cases, clients, seconds, share, seed):
    good, bad = cases
    tally = Tally(clients)
    end = time.monotonic() + seconds
    await asyncio.gather(watch(server, end, tally),
                         *(run_client(i, server.port, good, bad, share, end, tally, seed) for i in range(clients)))
    return tally


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def fairness(counts):
    """Jain's index: 1 if every client was served as often as any other."""
    return sum(counts) ** 2 / (len(counts) * sum(count * count for count in counts)) if any(counts) else 0.0


def growth(tally, seconds):
    """By what share the memory of the last fifth of the run exceeds that of the fifth in its middle; by medians."""
    part = lambda begin, end: [b for at, b in tally.memory if begin * seconds <= at <= end * seconds] or [1]
    return percentile(part(0.8, 1.0), 0.5) / percentile(part(0.4, 0.6), 0.5) - 1


def report(tally, seconds, clients):
    served = [len(latencies) for latencies in tally.latencies]
    all_latencies = [latency for latencies in tally.latencies for latency in latencies]
    print(f"clients {clients}, {seconds:g} s; " + ", ".join(f"{kind} {n}" for kind, n in sorted(tally.counts.items())))
    print(f"good answers {len(all_latencies)}, {tally.num_in_time / seconds:.1f} a second; " +
          ", ".join(f"p{int(share * 100)} {percentile(all_latencies, share):.2f} s" for share in (0.5, 0.95, 0.99)))
    print(f"fairness: Jain {fairness(served):.3f}; good answers a client {min(served)} to {max(served)}")
    print(f"/healthz: p99 {percentile(tally.health, 0.99) * 1000:.1f} ms, longest {max(tally.health) * 1000:.1f} ms")
    every = max(1, len(tally.memory) // 12)
    print("memory MB: " + ", ".join(f"{at:.0f} s {resident / 1e6:.0f}" for at, resident in tally.memory[::every]))
    for name in ("wrong", "lost", "late"):
        found = getattr(tally, name)
        print(f"{name}: {len(found)}" + "".join(f"\n  {text}" for text in found[:5]))


def bench_rate(command, size, folder, workers):
    """Images per second of `inkread bench`."""
    out = folder / "bench.json"
    subprocess.run([command, "bench", "--input", folder / "images", "--size", size, "--threads", str(workers),
                    "--workers", str(workers), "--rounds", "8", "--warmup", "1", "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())["summary"]["images_per_s"]


def server_rate(server, good, seconds, workers):
    """Answers per second to good requests of four clients a worker."""
    tally = asyncio.run(run_load(server, (good, {}), 4 * workers, seconds, 0, 1))
    if tally.wrong or tally.lost:
        raise SystemExit(f"wrong: {tally.wrong[:3]}, lost: {tally.lost[:3]}")
    return tally.num_in_time / seconds


def compare_rates(command, size, images, good, workers, rounds, seconds):
    """The ratio of the server's rate to the bench's, by the median of alternating rounds."""
    ratios = []
    with tempfile.TemporaryDirectory(prefix="inkread_load_") as folder:
        folder = pathlib.Path(folder)
        (folder / "images").mkdir()
        for name, data in images.items():
            (folder / "images" / name).write_bytes(data)
        server = Server(command, size, workers, 1000)
        try:
            for i in range(rounds):
                first = bench_rate(command, size, folder, workers)
                rate = server_rate(server, good, seconds, workers)
                second = bench_rate(command, size, folder, workers)
                ratios.append(rate / ((first + second) / 2))
                print(f"round {i + 1}: bench {first:.1f} and {second:.1f}, server {rate:.1f} images a second, "
                      f"ratio {ratios[-1]:.3f}", flush=True)
        finally:
            server.stop()
    print(f"ratio {percentile(ratios, 0.5):.3f} (median of {rounds})")
    return percentile(ratios, 0.5)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the inkread to test")
    parser.add_argument("--size", default="tiny")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--bad", type=float, default=0.1, help="share of bad requests")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--input", type=pathlib.Path, default=ROOT / "samples", help="folder of PNG files")
    parser.add_argument("--max-growth", type=float, default=0.05)
    parser.add_argument("--bench", type=int, default=0, metavar="ROUNDS", help="alternations with inkread bench")
    parser.add_argument("--bench-seconds", type=float, default=10)
    parser.add_argument("--min-ratio", type=float, default=0.0)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    images = {path.name: path.read_bytes() for path in sorted(arguments.input.glob("*.png"))}
    cases = make_cases(arguments.command, arguments.size, images)
    if any(case.expected is None for case in cases[0]):
        print(f"skipped: {arguments.command} reads nothing with {arguments.size}; `inkread models fetch` gets the models")
        return 77
    failed = False
    if arguments.seconds > 0:
        server = Server(arguments.command, arguments.size, arguments.workers, 2 * arguments.clients)
        try:
            tally = asyncio.run(run_load(server, cases, arguments.clients, arguments.seconds, arguments.bad, arguments.seed))
            alive = server.process.poll() is None
        finally:
            code = server.stop()
        report(tally, arguments.seconds, arguments.clients)
        grown = growth(tally, arguments.seconds)
        print(f"memory: {grown:+.1%} from the middle to the end; exit code {code}")
        failed = bool(tally.wrong or tally.lost or tally.late) or not alive or code != 0 or grown > arguments.max_growth
    if arguments.bench > 0:
        ratio = compare_rates(arguments.command, arguments.size, images, cases[0], arguments.workers, arguments.bench,
                              arguments.bench_seconds)
        failed |= ratio < arguments.min_ratio
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
