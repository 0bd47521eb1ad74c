#!/usr/bin/env python3
"""A web server with bad habits for models_test: http_server.py FOLDER PORT_FILE, until its standard input ends.

The first part of a path says how FOLDER's file of that name is served:
  /whole/F     without ranges, as if the server had never heard of them
  /range/F     with ranges
  /cut/F       with ranges, but each answer is cut after 100,000 bytes
  /stop/F      without ranges, and always cut after 100,000 bytes
  /wrong/F     with one byte changed
  /long/F      with more bytes than the file has
  /moved/F     redirects to /range/F
  /full/F      416 to every range, the file otherwise
anything else is 404. /log gives the requests so far, one `PATH RANGE` a line.
"""
import http.server
import pathlib
import re
import sys
import threading

CUT_BYTES = 100_000
requests = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/log":
            return self.answer(200, "".join(line + "\n" for line in requests).encode())
        requests.append(f"{self.path} {self.headers.get('Range', '-')}")
        _, how, name = (self.path.split("/", 2) + ["", ""])[:3]
        file = pathlib.Path(sys.argv[1]) / name
        if how not in ("whole", "range", "cut", "stop", "wrong", "long", "moved", "full") or not file.is_file():
            return self.answer(404, b"no such file")
        data = file.read_bytes()
        if how == "moved":
            return self.answer(302, b"over there", {"Location": f"/range/{name}"})
        if how == "wrong":
            data = bytes([data[0] ^ 1]) + data[1:]
        if how == "long":
            data += b"more"
        start = 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked and how == "full":
            return self.answer(416, b"")
        if asked and how in ("range", "cut"):
            start = int(asked[1])
        headers = {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if start else {}
        self.answer(206 if start else 200, data[start:], headers, CUT_BYTES if how in ("cut", "stop") else None)

    def answer(self, code, body, headers={}, cut=None):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
port_file = pathlib.Path(sys.argv[2])
port_file.with_suffix(".new").write_text(str(server.server_port))
port_file.with_suffix(".new").rename(port_file)
sys.stdin.read()
