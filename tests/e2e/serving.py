"""A running `inkread serve` for tests, and requests to it as raw as a test needs them."""
import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import time

import support

STOP_S = 60


class Answer:
    """Status, headers and body of an answer."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def error(self):
        return self.json()["error"]

    def __str__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    """The command, listening at a free port of this machine."""

    def __init__(self, *arguments, port=0, env=None):
        command = [support.command(), "serve", "--size", "tiny", "--port", str(port), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://(.*):(\d+)$", line.strip())
        if found is None:
            raise AssertionError(f"the server did not start: {line!r} {self.process.communicate()[1]!r}")
        self.host, self.port = found.group(1).strip("[]"), int(found.group(2))
        self.url = f"http://{self.host}:{self.port}"

    def request(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body, headers=None, **options):
        return self.request("POST", path, body, headers, **options)

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=60)

    def metric(self, name):
        """The sum of a metric's values over its labels."""
        found = re.findall(rf"(?m)^{re.escape(name)}(?:{{.*}})? (\S+)$", self.get("/metrics").body.decode())
        return sum(map(float, found))

    def wait_until(self, is_true, seconds=30):
        end = time.monotonic() + seconds
        while not is_true():
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s")
            time.sleep(0.01)

    def stop(self):
        """Ends it as an administrator does; returns its exit code and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=STOP_S)
        return support.Finished(self.process.returncode, out.decode(), err.decode(errors="replace"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def read_answer(connection):
    """The answer that comes over a socket."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return Answer(answer.status, answer.headers, answer.read())


def multipart(fields, boundary="----inkread"):
    """Content type and body of multipart/form-data; a field is (name, content) or (name, content, file name)."""
    parts = []
    for name, content, *file_name in fields:
        head = f'Content-Disposition: form-data; name="{name}"' + "".join(f'; filename="{f}"' for f in file_name)
        parts.append(b"--" + boundary.encode() + b"\r\n" + head.encode() + b"\r\n\r\n" + content + b"\r\n")
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + b"--" + boundary.encode() + b"--\r\n"
