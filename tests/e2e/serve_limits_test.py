"""The limits of `inkread serve`: each has its status and a JSON error that names it within two seconds, and the next
request is served as usual."""
import random
import socket
import struct
import threading
import time

import serving
import support

IMAGE = (support.ROOT / "samples" / "receipt.png").read_bytes()
QUICK_S = 2


class LimitsTest(support.Case):

    def check_refusal(self, answer, status, limit, since):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual((answer.error()["code"], answer.error()["limit"]), ("LIMIT_EXCEEDED", limit))
        self.assertGreater(len(answer.error()["message"]), 10)
        self.assertLess(time.monotonic() - since, QUICK_S)
        if status == 503:
            self.assertGreater(int(answer.headers["Retry-After"]), 0)

    def check_serves(self, server):
        self.assertEqual(server.post("/v1/ocr", IMAGE).status, 200)

    def test_body(self):
        with serving.Server("--max-body", "100000") as server:
            for headers in ({}, {"Expect": "100-continue"}):
                start = time.monotonic()
                self.check_refusal(server.post("/v1/ocr", bytes(5_000_000), headers), 413, "body", start)
            start = time.monotonic()
            chunks = (bytes(10_000) for _ in range(500))  # a length that nobody told
            self.check_refusal(server.post("/v1/ocr", chunks), 413, "body", start)
            with server.connect() as connection:  # a length that is not true: nothing follows
                start = time.monotonic()
                connection.sendall(b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
                self.check_refusal(serving.read_answer(connection), 413, "body", start)
            with server.connect() as connection:  # the head of a chunk that does not end
                start = time.monotonic()
                connection.sendall(b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
                connection.sendall(b"1;" + b"x" * 1_000_000)
                self.check_refusal(serving.read_answer(connection), 431, "headers", start)
            self.check_serves(server)

    def test_headers(self):
        with serving.Server() as server:
            start = time.monotonic()
            self.check_refusal(server.get("/healthz", headers={"X": "x" * 20_000}), 431, "headers", start)
            with server.connect() as connection:
                connection.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
                answer = serving.read_answer(connection)
                self.assertEqual((answer.status, answer.error()["code"]), (400, "INVALID_ARGUMENT"))
            self.check_serves(server)

    def test_pixels_and_pages(self):
        with serving.Server("--max-pixels", "600000", "--max-pages", "1") as server:
            bomb = support.png(30_000, 30_000, header_only=True)
            start = time.monotonic()
            self.check_refusal(server.post("/v1/ocr", bomb), 422, "pixels", start)
            self.check_refusal(server.post("/v1/ocr?max_pixels=2000000000", bomb), 422, "pixels", start)
            self.check_serves(server)
            tensor = b'{"inputs": [{"name": "image", "datatype": "UINT8", "shape": [1, 1000, 700, 3], "parameters": '
            tensor += b'{"binary_data_size": 2100000}}]}'
            answer = server.post("/v2/models/ocr/infer", tensor + bytes(2_100_000),
                                 {"Inference-Header-Content-Length": str(len(tensor))})
            self.assertEqual(answer.status, 422, answer)
            self.check_refusal(server.post("/v1/ocr", two_pages()), 422, "pages", time.monotonic())
            self.assertEqual(server.post("/v1/ocr?page=2", two_pages()).status, 200)

    def test_queue(self):
        with serving.Server("--max-queue", "2", "--workers", "1") as server:
            answers = []
            threads = [threading.Thread(target=lambda: answers.append((server.post("/v1/ocr", IMAGE), time.monotonic())))
                       for _ in range(30)]
            start = time.monotonic()
            for thread in threads:
                thread.start()
            server.wait_until(lambda: server.metric("inkread_queue_length") >= 1)
            self.assertEqual(server.get("/healthz").status, 200)
            for thread in threads:
                thread.join()
            refused = [(answer, at) for answer, at in answers if answer.status != 200]
            self.assertGreaterEqual(len(refused), 10)
            for answer, at in refused:
                self.check_refusal(answer, 503, "queue", time.monotonic() - (at - start))
            self.check_serves(server)

    def test_clients(self):
        with serving.Server("--max-clients", "3") as server:
            held = [server.connect() for _ in range(3)]
            server.wait_until(lambda: server.metric("inkread_clients") >= 3)
            start = time.monotonic()
            self.check_refusal(server.post("/v1/ocr", IMAGE), 503, "clients", start)
            self.assertEqual(server.get("/healthz").status, 200)
            for connection in held:
                connection.close()
            server.wait_until(lambda: server.metric("inkread_clients") <= 1)
            self.check_serves(server)

    def test_time_to_send(self):
        with serving.Server("--request-time", "0.5") as server:
            for begin in (b"POST /v1/o", b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"):
                with server.connect() as connection:
                    start = time.monotonic()
                    connection.sendall(begin)
                    self.check_refusal(serving.read_answer(connection), 408, "time", start)
            self.check_serves(server)

    def test_time_to_answer(self):
        with serving.Server("--workers", "1", "--time-limit", "0.02", "--threads", "1") as server:
            start = time.monotonic()
            wide = support.png(3000, 3000)
            self.check_refusal(server.post("/v1/ocr?profile=pipeline", wide), 503, "time", start)
            self.assertEqual(server.post("/v1/ocr", support.png(40, 20)).status, 200)

    def test_memory(self):
        with serving.Server("--max-body", "1000000", "--max-memory", "1000000") as server:
            with server.connect() as connection:
                connection.sendall(b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nContent-Length: 990000\r\n\r\nabc")
                start = time.monotonic()
                server.wait_until(lambda: server.post("/v1/ocr", IMAGE).status == 503, seconds=QUICK_S)
                self.check_refusal(server.post("/v1/ocr", IMAGE), 503, "memory", start)
            server.wait_until(lambda: server.post("/v1/ocr", IMAGE).status == 200, seconds=QUICK_S)

    def test_clients_that_hang_up_free_their_place(self):
        request = b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(IMAGE) + IMAGE
        with serving.Server("--workers", "1") as server:
            for i in range(40):
                connection = server.connect()
                connection.sendall(request if i % 2 else request[:500])
                if i % 3:  # a reset in place of an orderly end
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
            self.check_serves(server)
            server.wait_until(lambda: server.metric("inkread_clients") == 1)
            self.assertLess(server.metric("inkread_pages_total"), 25)  # most were not read for nobody


    def test_damaged_requests_end_no_server(self):
        """Bytes of good requests, damaged by dice of a fixed seed, each over a connection of its own."""
        content_type, form = serving.multipart([("words", b"1"), ("file", IMAGE[:2000], "a.png")])
        body = b'{"image": "aGVsbG8=", "words": true}'
        good = [
            b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"POST /v1/ocr?words=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n" + IMAGE[:2000],
            b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n",
            b"POST /ocr HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" %
            (content_type.encode(), len(form)) + form,
            b"POST /v1/ocr HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body,
        ]
        dice = random.Random(1)
        with serving.Server("--request-time", "0.3") as server:
            for i in range(120):
                request = bytearray(good[i % len(good)])
                for _ in range(dice.randint(1, 6)):
                    at = dice.randrange(min(len(request), 400))
                    request[at:at + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 3))
                with server.connect() as connection:
                    connection.sendall(request[:dice.choice([len(request), dice.randrange(1, len(request))])])
                    if i % 4 == 0:
                        connection.shutdown(socket.SHUT_WR)
                    if i % 2:
                        connection.settimeout(20)
                        try:
                            start = connection.recv(12)
                        except TimeoutError:
                            self.fail(f"no answer to {bytes(request[:300])!r}")
                        self.assertRegex(start, rb"^(HTTP/1\.[01] [1-5])?", bytes(request[:100]))
            self.assertIsNone(server.process.poll())
            self.check_serves(server)
            server.wait_until(lambda: server.metric("inkread_clients") == 1)


def two_pages():
    """A TIFF of two white pages of one pixel."""
    def directory(at, following):
        tags = [(256, 3, 1, 1), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
                (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 1)]
        return (struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) +
                struct.pack("<I", following))
    size = len(directory(0, 0))
    return b"II*\0" + struct.pack("<I", 12) + b"\xff\0\0\0" + directory(12, 12 + size) + directory(12 + size, 0)


if __name__ == "__main__":
    support.main()
