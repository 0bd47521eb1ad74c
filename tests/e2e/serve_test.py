"""`inkread serve`: every way to send an image gives the command's own bytes, and what else is at its paths."""
import base64
import json
import re
import threading
import time

import serving
import support

RECEIPT = support.ROOT / "samples" / "receipt.png"


def of_command(*arguments, data, parts=()):
    run = support.read(*arguments, "--no-times", "-", stdin=data)
    assert run.code == 0, run
    return run.out


class ServeTest(support.Case):

    @classmethod
    def setUpClass(cls):
        cls.server = serving.Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.image = RECEIPT.read_bytes()
        cls.expected = of_command("--json", data=cls.image)

    def check(self, answer, expected=None):
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer.body.decode(), self.expected if expected is None else expected)

    def test_a_raw_body_gives_the_bytes_of_the_command(self):
        for content_type in ("image/png", "application/octet-stream", "application/x-www-form-urlencoded", None):
            headers = {"Content-Type": content_type} if content_type else {}
            self.check(self.server.post("/v1/ocr?times=false", self.image, headers))

    def test_every_sample_gives_the_bytes_of_the_command(self):
        for path in support.SAMPLES:
            data = path.read_bytes()
            self.check(self.server.post("/v1/ocr?times=false&words=true", data), of_command("--json", "--words", data=data))

    def test_multipart_has_file_and_options(self):
        content_type, body = serving.multipart([("words", b"true"), ("file", self.image, "a \\\"b.png"), ("times", b"0")])
        document = self.server.post("/v1/ocr", body, {"Content-Type": content_type}).json()
        expected = json.loads(of_command("--json", "--words", data=self.image))
        self.assertEqual(document["images"][0]["file"], 'a "b.png')
        expected["images"][0]["file"] = 'a "b.png'
        self.assertEqual(document, expected)

    def test_base64_may_have_a_prefix_and_line_breaks(self):
        plain = base64.b64encode(self.image).decode()
        broken = base64.encodebytes(self.image).decode()
        urlsafe = base64.urlsafe_b64encode(self.image).decode().rstrip("=")
        for text in (plain, broken, urlsafe, "data:image/png;base64," + plain, "data:image/png;base64," + broken):
            body = json.dumps({"image": text, "times": False})
            self.check(self.server.post("/v1/ocr", body, {"Content-Type": "application/json; charset=utf-8"}))

    def test_a_form_may_have_base64(self):
        body = "times=false&image=" + base64.b64encode(self.image).decode()
        self.check(self.server.post("/v1/ocr", body, {"Content-Type": "application/x-www-form-urlencoded"}))

    def test_options_mean_what_those_of_the_command_mean(self):
        cases = [
            ({"profile": "fast960"}, ["--profile", "fast960"]),
            ({"order": "official", "chars": True}, ["--order", "official", "--chars"]),
            ({"official": True}, ["--official"]),
            ({"region": [0, 0, 640, 300]}, ["--region", "0,0,640,300"]),
            ({"box": ["220,100,200,50", [0, 160, 640, 60]]}, ["--box", "220,100,200,50", "--box", "0,160,640,60"]),
            ({"detect_only": True}, ["--detect-only"]),
            ({"line": "true"}, ["--line"]),
            ({"score_thresh": 0.99}, ["--score-thresh", "0.99"]),
        ]
        for members, flags in cases:
            expected = of_command("--json", *flags, data=self.image)
            body = json.dumps({"image": base64.b64encode(self.image).decode(), "times": False, **members})
            self.check(self.server.post("/v1/ocr", body, {"Content-Type": "application/json"}), expected)

    def test_accept_chooses_the_format(self):
        cases = {
            "text/plain": "--text",
            "text/tab-separated-values": "--tsv",
            "text/vnd.hocr+html": "--hocr",
            "application/xml;q=0.9, image/png": "--alto",
            "application/x-ndjson": "--jsonl",
        }
        for accept, flag in cases.items():
            answer = self.server.post("/v1/ocr?times=false", self.image, {"Accept": accept})
            self.check(answer, of_command(flag, data=self.image))
            self.assertEqual(answer.headers["Content-Type"].split(";")[0], accept.split(";")[0])
        self.check(self.server.post("/v1/ocr?format=layout", self.image), of_command("--layout", data=self.image))
        pdf = self.server.post("/v1/ocr?format=pdf", self.image)
        self.assertEqual((pdf.headers["Content-Type"], pdf.body[:5]), ("application/pdf", b"%PDF-"))

    def test_a_pdf_is_read_page_by_page(self):
        pdf = self.server.post("/v1/ocr?format=pdf", self.image).body
        self.check(self.server.post("/v1/ocr?times=false", pdf), of_command("--json", data=pdf))

    def test_wrong_requests_are_told_what_is_wrong(self):
        image = {"image": base64.b64encode(self.image).decode()}
        as_json = {"Content-Type": "application/json"}
        cases = [
            ("/v1/ocr?wards=1", self.image, {}, 400, "'wards' is none of "),
            ("/v1/ocr?region=1,2,3", self.image, {}, 400, "'1,2,3' is not X,Y,WIDTH,HEIGHT"),
            ("/v1/ocr?region=600,0,100,10", self.image, {}, 400, "region"),
            ("/v1/ocr?page=2", self.image, {}, 400, "page 2 was requested, the file has 1"),
            ("/v1/ocr", b"", {}, 400, "the request has no image"),
            ("/v1/ocr", b"{", as_json, 400, "JSON: the text cannot be parsed"),
            ("/v1/ocr", b"[1]", as_json, 400, "JSON: expected an object"),
            ("/v1/ocr", b'{"image": 5}', as_json, 400, "base64"),
            ("/v1/ocr", b'{"image": "a?"}', as_json, 400, "base64: character 2"),
            ("/v1/ocr", b'{"image": "' + b"[," * 6000 + b'"}', as_json, 400, "JSON: more than"),
            ("/v1/ocr", json.dumps({**image, "path": "/etc/passwd"}), as_json, 400, "'path' is none of"),
            ("/v1/ocr", b"x", {"Content-Type": "multipart/form-data"}, 400, "no boundary"),
            ("/v1/ocr", b"--x\r\n\r\na", {"Content-Type": "multipart/form-data; boundary=x"}, 400, "does not end"),
            ("/v1/ocr", b"hello", {}, 415, "neither an image nor a PDF"),
            ("/v1/ocr", b"\0\0\0\x20ftypavif" + bytes(40), {}, 415, "AVIF"),
            ("/v1/ocr", self.image, {"Content-Encoding": "gzip"}, 415, "Content-Encoding"),
            ("/v1/ocr", self.image[:60], {}, 422, "PNG"),
            ("/v1/nothing", b"", {}, 404, "nothing at this path"),
            ("/healthz", b"", {}, 405, "no such method"),
        ]
        for path, body, headers, status, message in cases:
            answer = self.server.post(path, body, headers)
            self.assertEqual(answer.status, status, f"{path}: {answer}")
            self.assertIn(message, answer.error()["message"], path)
            self.assertRegex(answer.error()["code"], "^[A-Z_]+$")
        self.check(self.server.post("/v1/ocr?times=false", self.image))

    def test_no_file_of_the_server_can_be_reached(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/samples/receipt.png", "//etc/passwd"):
            self.assertEqual(self.server.get(path).status, 404)
        answer = self.server.post(f"/v1/ocr?times=false&name={RECEIPT}", b"")
        self.assertEqual(answer.status, 400)
        document = self.server.post("/v1/ocr?name=/etc/passwd", self.image).json()
        self.assertEqual(document["images"][0]["file"], "/etc/passwd")  # a name, and no more

    def test_pages_of_other_origins_are_refused(self):
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}):
            answer = self.server.get("/v1/models", headers=headers)
            self.assertEqual((answer.status, answer.error()["code"]), (403, "PERMISSION_DENIED"), headers)
        for headers in ({"Origin": self.server.url}, {"Host": "localhost:1"}, {"Host": "192.168.1.7"}):
            self.assertEqual(self.server.get("/v1/models", headers=headers).status, 200, headers)

    def test_health_readiness_and_models(self):
        self.assertEqual(self.server.get("/healthz").body, b"ok\n")
        self.assertEqual(self.server.get("/readyz").status, 200)
        head = self.server.request("HEAD", "/healthz")
        self.assertEqual((head.status, head.body, head.headers["Content-Length"]), (200, b"", "3"))
        models = self.server.get("/v1/models").json()
        self.assertEqual(models["models"][0]["size"], "tiny")
        self.assertGreaterEqual(models["models"][0]["devices"][0]["reads"], 0)

    def test_metrics_count_what_was_done(self):
        before = {name: self.server.metric(name) for name in ("inkread_pages_total", "inkread_device_reads_total")}
        self.server.post("/v1/ocr", self.image)
        for name, value in before.items():
            self.assertEqual(self.server.metric(name), value + 1)
        text = self.server.get("/metrics").body.decode()
        self.assertRegex(text, r'inkread_requests_total{route="/v1/ocr",status="200"} \d')
        for stage in ("wait", "load", "detect", "recognise", "read", "answer"):
            self.assertRegex(text, rf'inkread_stage_seconds_bucket{{stage="{stage}",le="\+Inf"}} [1-9]')
        self.assertGreater(self.server.metric("process_resident_memory_bytes"), 10e6)
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) .*|[a-z_]+(\{([a-z]+="([^"\\]|\\.)*",?)*\})? [0-9.e+-]+)$')

    def test_requests_over_one_connection_and_pipelined_ones_are_answered_in_order(self):
        request = (b"POST /v1/ocr?times=false HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" %
                   len(self.image)) + self.image
        with self.server.connect() as connection:
            connection.sendall(request + request + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream = connection.makefile("rb")
            for expected in (self.expected.encode(), self.expected.encode(), b"ok\n"):
                self.assertEqual(stream.readline(), b"HTTP/1.1 200 OK\r\n")
                head = b"".join(iter(stream.readline, b"\r\n")).decode()
                length = int(re.search(r"Content-Length: (\d+)", head).group(1))
                self.assertEqual(stream.read(length), expected)

    def test_requests_at_once_do_not_touch_each_other(self):
        images = [path.read_bytes() for path in support.SAMPLES]
        queries = ["", "&words=true", "&official=true"]
        flags = [[], ["--words"], ["--official"]]
        expected = {(i, q): of_command("--json", *flags[q], data=images[i]) for i in range(len(images)) for q in range(3)}
        wrong = []

        def send(which):
            i, q = which
            answer = self.server.post("/v1/ocr?times=false" + queries[q], images[i])
            if answer.status != 200 or answer.body.decode() != expected[which]:
                wrong.append((which, str(answer)))

        threads = [threading.Thread(target=send, args=[which]) for which in expected]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class StopTest(support.Case):

    def test_a_stop_finishes_what_was_taken(self):
        image = RECEIPT.read_bytes()
        expected = of_command("--json", data=image)
        answers = []
        with serving.Server("--workers", "1") as server:
            idle = server.connect()
            self.addCleanup(idle.close)
            threads = [threading.Thread(target=lambda: answers.append(server.post("/v1/ocr?times=false", image)))
                       for _ in range(6)]
            for thread in threads:
                thread.start()
            server.wait_until(lambda: server.metric("inkread_queue_length") >= 3)
            finished = server.stop()
            for thread in threads:
                thread.join()
        self.assertEqual(finished.code, 0, finished)
        self.assertEqual([answer.status for answer in answers], [200] * 6)
        self.assertEqual({answer.body.decode() for answer in answers}, {expected})
        self.assertEqual(idle.recv(1), b"")

    def test_nothing_is_left_behind_that_keeps_another_from_starting(self):
        with serving.Server() as first:
            port = str(first.port)
            run = support.inkread("serve", "--size", "tiny", "--port", port)
            self.assertEqual(run.code, 2, run)
            self.assertIn("in use", run.err)
            connection = first.connect()
            first.process.kill()
            first.process.wait()
            connection.close()
            with serving.Server(port=port) as second:
                self.assertEqual(second.get("/healthz").status, 200)


class TokenTest(support.Case):

    def test_a_token_guards_everything_but_the_probes(self):
        path = self.put("token", b"secret-1\n")
        image = RECEIPT.read_bytes()
        with serving.Server("--token-file", str(path)) as server:
            for open_path in ("/healthz", "/readyz", "/openapi.json"):
                self.assertEqual(server.get(open_path).status, 200, open_path)
            for guarded in ("/metrics", "/v1/models"):
                for headers in ({}, {"Authorization": "Bearer secret-2"}, {"Authorization": "secret-1"}):
                    answer = server.get(guarded, headers=headers)
                    self.assertEqual((answer.status, answer.headers["WWW-Authenticate"]), (401, "Bearer"))
                self.assertEqual(server.get(guarded, headers={"Authorization": "Bearer secret-1"}).status, 200)
            self.assertEqual(server.post("/v1/ocr", image).status, 401)
            self.assertEqual(server.post("/v1/ocr", image, {"Authorization": "Bearer secret-1"}).status, 200)


if __name__ == "__main__":
    support.main()
