"""The command under the names of other programs, and over standard input and output, with the clients of each; run by a
Python that has requirements.txt."""
import asyncio
import base64
import json
import os
import pathlib
import re
import socket
import subprocess

import mcp
import mcp.client.stdio
import PIL.Image
import pytesseract

import support

RECEIPT = support.ROOT / "samples" / "receipt.png"
TINY = "-c inkread_size=tiny"


class Case(support.Case):

    @classmethod
    def setUpClass(cls):
        cls.lines = support.read("--json", "--words", "--chars", str(RECEIPT)).json()["images"][0]["lines"]
        cls.text = support.read(str(RECEIPT)).out

    def link(self, name):
        path = self.folder / name
        path.symlink_to(support.command())
        return str(path)


class TesseractTest(Case):

    def setUp(self):
        super().setUp()
        pytesseract.pytesseract.tesseract_cmd = self.link("tesseract")

    def test_string(self):
        self.assertEqual(pytesseract.image_to_string(str(RECEIPT), lang="chi_sim+eng", config=TINY), self.text)
        self.assertEqual(pytesseract.image_to_string(PIL.Image.open(RECEIPT), config=TINY + " --psm 6 --oem 1"), self.text)

    def test_data(self):
        data = pytesseract.image_to_data(str(RECEIPT), config=TINY, output_type=pytesseract.Output.DICT)
        words = [word for line in self.lines for word in line["words"]]
        rows = [i for i, level in enumerate(data["level"]) if level == 5]
        self.assertEqual([data["text"][i] for i in rows], [word["text"] for word in words])
        for i, word in zip(rows, words):
            left = min(x for x, _ in word["quad"])
            self.assertEqual(data["left"][i], left)
            self.assertAlmostEqual(float(data["conf"][i]), word["score"] * 100, delta=1)

    def test_boxes(self):
        boxes = pytesseract.image_to_boxes(str(RECEIPT), config=TINY, output_type=pytesseract.Output.DICT)
        symbols = [symbol for line in self.lines for symbol in line["chars"]]
        self.assertEqual(boxes["char"], [symbol["text"] for symbol in symbols])
        self.assertEqual(boxes["top"], [800 - min(y for _, y in symbol["quad"]) for symbol in symbols])

    def test_pdf_hocr_and_alto(self):
        pdf = pytesseract.image_to_pdf_or_hocr(str(RECEIPT), config=TINY, extension="pdf")
        hocr = pytesseract.image_to_pdf_or_hocr(str(RECEIPT), config=TINY, extension="hocr")
        alto = pytesseract.image_to_alto_xml(str(RECEIPT), config=TINY)
        self.assertEqual(pdf[:5], b"%PDF-")
        self.assertIn(b"ocrx_word", hocr)
        self.assertIn(b"<String ", alto)
        both = pytesseract.run_and_get_multiple_output(str(RECEIPT), extensions=["txt", "tsv"])
        self.assertIn("INKREAD", both[0])
        self.assertTrue(both[1].startswith("level\tpage_num"))

    def test_orientation(self):
        for degrees in (0, 90, 180, 270):
            path = self.put(f"{degrees}.png", support.turned(RECEIPT.read_bytes(), degrees) if degrees else RECEIPT.read_bytes())
            osd = pytesseract.image_to_osd(str(path), config=TINY, output_type=pytesseract.Output.DICT)
            self.assertEqual((osd["orientation"], osd["rotate"]), (degrees, (360 - degrees) % 360))

    def test_languages_and_version(self):
        self.assertLessEqual({"eng", "chi_sim", "deu", "jpn", "osd"}, set(pytesseract.get_languages()))
        self.assertNotIn("jpn", pytesseract.get_languages(config=TINY))
        self.assertEqual(str(pytesseract.get_tesseract_version()), "5.3.0")
        with self.assertRaisesRegex(pytesseract.TesseractError, "Failed loading language 'kor'"):
            pytesseract.image_to_string(str(RECEIPT), lang="kor", config=TINY)

    def run_tesseract(self, *arguments, stdin=b""):
        run = subprocess.run([self.folder / "tesseract", *arguments], input=stdin, capture_output=True,
                             timeout=support.TIMEOUT_S)
        return support.Finished(run.returncode, run.stdout.decode(), run.stderr.decode())

    def test_standard_input_and_output(self):
        run = self.run_tesseract("stdin", "stdout", "-c", "inkread_size=tiny", stdin=RECEIPT.read_bytes())
        self.assertEqual((run.code, run.out), (0, self.text))
        run = support.inkread("tesseract", str(RECEIPT), "-", "-c", "inkread_size=tiny")
        self.assertEqual((run.code, run.out), (0, self.text))

    def test_errors_are_those_of_tesseract(self):
        for arguments, message in ((["nothing.png", "out"], "cannot read input file nothing.png"), ([], "Usage: "),
                                   ([str(RECEIPT), "out", "--psm", "20"], "page segmentation mode: 20"),
                                   ([str(RECEIPT), "/nowhere/out", "-c", "inkread_size=tiny"], "/nowhere/out.txt"),
                                   ([str(RECEIPT), "out", "-l"], "-l requires a value")):
            run = self.run_tesseract(*arguments)
            self.assertEqual(run.code, 1, run)
            self.assertIn(message, run.err)


class PaddleOcrJsonTest(Case):

    def start(self, *arguments):
        process = subprocess.Popen([self.link("PaddleOCR-json"), "-size=tiny", *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while "OCR init completed." not in process.stdout.readline().decode():
            self.assertIsNone(process.poll())
        return process

    def check_lines(self, answer):
        self.assertEqual(answer["code"], 100)
        self.assertEqual([(line["text"], line["box"], line["score"]) for line in answer["data"]],
                         [(line["text"], line["quad"], line["score"]) for line in self.lines])

    def test_lines_in_lines_out(self):
        process = self.start("-models_path=x", "--use_debug=0")

        def ask(line):
            process.stdin.write((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
            process.stdin.flush()
            raw = process.stdout.readline()
            raw.decode("ascii")
            return json.loads(raw)

        text = base64.b64encode(RECEIPT.read_bytes()).decode()
        self.check_lines(ask({"image_path": str(RECEIPT)}))
        self.check_lines(ask({"image_base64": text}))
        named = self.put("墨.png", RECEIPT.read_bytes())
        self.check_lines(ask({"image_path": str(named), "limit_side_len": 960}))
        white = self.put("white.png", support.png(60, 40))
        self.assertEqual(ask({"image_path": str(white)})["code"], 101)
        self.assertEqual(ask({"image_path": "/nowhere/a.png"})["code"], 200)
        self.assertEqual(ask({"image_path": str(self.folder)})["code"], 202)
        self.assertEqual(ask({"image_path": __file__})["code"], 203)
        self.assertEqual(ask({"image_base64": "?"})["code"], 300)
        self.assertEqual(ask({"image_base64": "aGVsbG8="})["code"], 301)
        self.assertEqual(ask("{")["code"], 401)
        self.assertEqual(ask({"other": 1})["code"], 403)
        process.stdin.write(b"exit\n")
        process.stdin.flush()
        self.assertEqual(process.wait(30), 0)

    def test_one_file(self):
        run = support.inkread("paddleocr-json", "-size=tiny", f"-image_path={RECEIPT}", "-ensure_ascii=0")
        self.assertIn("墨", run.out)
        self.check_lines(json.loads(run.out.splitlines()[-1]))

    def test_a_port(self):
        process = self.start("-port=0", "-addr=loopback")
        address, port = re.search(r"completed\. (.*):(\d+)", process.stdout.readline().decode()).groups()

        def ask(line):
            with socket.create_connection((address, int(port)), timeout=60) as connection:
                connection.sendall(line.encode())
                return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

        text = base64.b64encode(RECEIPT.read_bytes()).decode()
        for end in ("\n", "\0"):
            self.check_lines(json.loads(ask(json.dumps({"image_base64": text}) + end)))
        refused = json.loads(ask(json.dumps({"image_path": str(RECEIPT)}) + "\n"))
        self.assertEqual(refused["code"], 403)
        self.assertEqual(json.loads(ask("exit\n"))["code"], 401)
        self.check_lines(json.loads(ask(json.dumps({"image_base64": text}) + "\n")))
        process.terminate()
        self.assertEqual(process.wait(30), 0)


class McpTest(Case):

    def test_a_client_reads_images(self):
        asyncio.run(self.use_client())

    async def use_client(self):
        parameters = mcp.StdioServerParameters(command=support.command(), args=["mcp", "--size", "tiny"],
                                               env=dict(os.environ))
        async with mcp.client.stdio.stdio_client(parameters) as (read, write):
            async with mcp.ClientSession(read, write) as session:
                started = await session.initialize()
                self.assertEqual(started.server_info.name, "inkread")
                await session.send_ping()
                tools = (await session.list_tools()).tools
                self.assertEqual([tool.name for tool in tools], ["ocr_image"])
                self.assertEqual(set(tools[0].input_schema["properties"]), {"path", "base64", "format"})
                text = base64.b64encode(RECEIPT.read_bytes()).decode()
                for arguments in ({"path": str(RECEIPT)}, {"base64": text}, {"base64": "data:image/png;base64," + text}):
                    result = await session.call_tool("ocr_image", arguments)
                    self.assertFalse(result.is_error)
                    self.assertEqual(result.content[0].text, self.text)
                result = await session.call_tool("ocr_image", {"path": str(RECEIPT), "format": "json"})
                document = json.loads(result.content[0].text)
                self.assertEqual([line["text"] for line in document["images"][0]["lines"]],
                                 [line["text"] for line in self.lines])
                for arguments, message in (({}, "either path or base64"), ({"path": "/nowhere"}, "no such file"),
                                           ({"path": __file__}, "neither an image nor a PDF"),
                                           ({"base64": "?"}, "base64: character 1")):
                    result = await session.call_tool("ocr_image", arguments)
                    self.assertTrue(result.is_error)
                    self.assertIn(message, result.content[0].text)
                with self.assertRaisesRegex(Exception, "only tool"):
                    await session.call_tool("other", {})

    def test_broken_messages_do_not_end_the_server(self):
        lines = ["{", "[]", '{"jsonrpc": "2.0", "id": 1}', '{"jsonrpc": "2.0", "id": 2, "method": "nothing"}',
                 '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
                 '{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": 5}',
                 '{"jsonrpc": "2.0", "id": "four", "method": "ping"}']
        run = support.inkread("mcp", "--size", "tiny", stdin="\n".join(lines).encode())
        self.assertEqual(run.code, 0, run)
        answers = [json.loads(line) for line in run.out.splitlines()]
        self.assertEqual([answer.get("error", {}).get("code") for answer in answers],
                         [-32700, -32700, -32600, -32601, -32602, None])
        self.assertEqual(answers[-1], {"jsonrpc": "2.0", "id": "four", "result": {}})


if __name__ == "__main__":
    support.main()
