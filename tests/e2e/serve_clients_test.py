"""The doors of `inkread serve`, each with the client that people use; run by a Python that has requirements.txt."""
import base64
import json

import numpy
import PIL.Image
import tritonclient.http
from openapi_spec_validator import validate

import serving
import support

RECEIPT = support.ROOT / "samples" / "receipt.png"


class DoorsTest(support.Case):

    @classmethod
    def setUpClass(cls):
        cls.server = serving.Server()
        cls.addClassCleanup(cls.server.__exit__)
        cls.image = RECEIPT.read_bytes()
        run = support.read("--json", str(RECEIPT))
        cls.lines = run.json()["images"][0]["lines"]

    def test_the_openapi_document_is_valid_and_has_every_path(self):
        document = self.server.get("/openapi.json").json()
        validate(document)
        for path, methods in document["paths"].items():
            for method in set(methods) - {"parameters"}:
                status = self.server.request(method.upper(), path.replace("{version}", "1")).status
                self.assertNotIn(status, (404, 405), path)
        paths = set(document["paths"])
        self.assertLessEqual({"/v1/ocr", "/v1/models", "/healthz", "/readyz", "/metrics", "/openapi.json", "/ocr",
                              "/api/ocr", "/api/ocr/get_options", "/v2", "/v2/models/ocr/infer"}, paths)

    def infer(self, image, binary_in, binary_out, name="ocr", version=""):
        """What docling's OCR stage does."""
        client = tritonclient.http.InferenceServerClient(f"{self.server.host}:{self.server.port}")
        language = tritonclient.http.InferInput("lang_type", [1, 1], "BYTES")
        language.set_data_from_numpy(numpy.array([["en"]], dtype=object), binary_data=binary_in)
        pixels = tritonclient.http.InferInput("image", list(image.shape), "UINT8")
        pixels.set_data_from_numpy(image, binary_data=binary_in)
        outputs = [tritonclient.http.InferRequestedOutput(output, binary_data=binary_out)
                   for output in ("boxes", "txts", "scores")]
        try:
            result = client.infer(name, [language, pixels], model_version=version, outputs=outputs, request_id="7")
            return result.get_response(), [result.as_numpy(output) for output in ("boxes", "txts", "scores")]
        finally:
            client.close()

    def pixels(self):
        return numpy.array(PIL.Image.open(RECEIPT).convert("RGB"), dtype=numpy.uint8)[None]

    def test_kserve(self):
        for binary_in, binary_out, version in ((True, True, ""), (True, False, "1"), (False, True, ""), (False, False, "")):
            response, (boxes, texts, scores) = self.infer(self.pixels(), binary_in, binary_out, version=version)
            self.assertEqual((response["id"], response["model_name"]), ("7", "ocr"))
            texts = [text.decode() if isinstance(text, bytes) else text for text in texts]
            self.assertEqual(texts, [line["text"] for line in self.lines])
            self.assertEqual(boxes.astype(int).tolist(), [line["quad"] for line in self.lines])
            self.assertEqual(boxes.shape, (len(self.lines), 4, 2))
            for score, line in zip(scores, self.lines):
                self.assertAlmostEqual(float(score), line["score"], places=5)

    def test_kserve_without_text(self):
        white = numpy.full((1, 60, 80, 3), 255, dtype=numpy.uint8)
        for binary in (True, False):
            _, (boxes, texts, scores) = self.infer(white, binary, binary)
            self.assertEqual((boxes.shape, texts.shape, scores.shape), ((0, 4, 2), (0,), (0,)))

    def test_kserve_metadata(self):
        client = tritonclient.http.InferenceServerClient(f"{self.server.host}:{self.server.port}")
        self.addCleanup(client.close)
        self.assertTrue(client.is_server_live() and client.is_server_ready() and client.is_model_ready("ocr"))
        self.assertIn("binary_tensor_data", client.get_server_metadata()["extensions"])
        metadata = client.get_model_metadata("ocr")
        self.assertEqual([tensor["name"] for tensor in metadata["inputs"]], ["image", "lang_type"])
        self.assertEqual([(tensor["name"], tensor["datatype"]) for tensor in metadata["outputs"]],
                         [("boxes", "FP32"), ("txts", "BYTES"), ("scores", "FP32")])
        self.assertFalse(client.is_model_ready("other"))

    def test_kserve_says_what_is_wrong(self):
        with self.assertRaisesRegex(tritonclient.http.InferenceServerException, "expected datatype UINT8 and shape"):
            self.infer(self.pixels()[:, :, :, :2], True, True)
        infer = "/v2/models/ocr/infer"
        image = {"name": "image", "datatype": "UINT8", "shape": [1, 2, 2, 3]}
        cases = [
            ({"inputs": [{**image, "data": [0] * 11}]}, "11 values, its shape has 12"),
            ({"inputs": [{**image, "data": [256] * 12}]}, "not numbers from 0 to 255"),
            ({"inputs": [{**image, "shape": [1, 10**9, 10**9, 3], "data": []}]}, "expected datatype UINT8 and shape"),
            ({"inputs": [{**image, "shape": [1, 10**5, 10**5, 3], "data": []}]}, "0 values, its shape has 30000000000"),
            ({"inputs": [{**image, "parameters": {"binary_data_size": 12}}]}, "more than what follows the header"),
            ({"inputs": [{**image, "name": 5}]}, "has not the type"),
            ({"inputs": []}, "no input named image"),
            ({"inputs": [], "outputs": [{"name": "x"}]}, "'x' is none of"),
            ({}, "inputs: expected an array"),
        ]
        for body, message in cases:
            answer = self.server.post(infer, json.dumps(body))
            self.assertEqual(answer.status, 400, body)
            self.assertIn(message, answer.json()["error"])
        answer = self.server.post(infer, b"{}", {"Inference-Header-Content-Length": "99"})
        self.assertIn("not a length within the body", answer.json()["error"])

    def test_liteparse(self):
        content_type, body = serving.multipart([("file", self.image, "x.png"), ("language", b"en")])
        results = self.server.post("/ocr", body, {"Content-Type": content_type}).json()["results"]
        self.assertEqual([(r["text"], r["polygon"], r["confidence"]) for r in results],
                         [(line["text"], line["quad"], line["score"]) for line in self.lines])
        for result in results:
            xs, ys = zip(*result["polygon"])
            self.assertEqual(result["bbox"], [min(xs), min(ys), max(xs), max(ys)])
        content_type, body = serving.multipart([("language", b"en")])
        answer = self.server.post("/ocr", body, {"Content-Type": content_type})
        self.assertEqual((answer.status, answer.json()), (400, {"error": 'the form has no field "file"'}))

    def umi(self, **members):
        return self.server.post("/api/ocr", json.dumps(members), {"Content-Type": "application/json"}).json()

    def test_umi_ocr(self):
        text = base64.b64encode(self.image).decode()
        answer = self.umi(base64=text, options={"ocr.language": "models/config_en.txt"})
        self.assertEqual(answer["code"], 100)
        self.assertEqual([(line["text"], line["box"], line["score"]) for line in answer["data"]],
                         [(line["text"], line["quad"], line["score"]) for line in self.lines])
        self.assertGreater(answer["time"], 0)
        answer = self.umi(base64=text, options={"data.format": "text"})
        self.assertEqual(answer["data"], "".join(line["text"] + "\n" for line in self.lines))
        answer = self.umi(base64=text, options={"tbpu.ignoreArea": [[[0, 0], [640, 160]], [[0, 400], [640, 800]]]})
        expected = [line["text"] for line in self.lines
                    if not all(y <= 160 for _, y in line["quad"]) and not all(y >= 400 for _, y in line["quad"])]
        self.assertEqual([line["text"] for line in answer["data"]], expected)
        white = base64.b64encode(support.png(60, 40)).decode()
        self.assertEqual(self.umi(base64=white)["code"], 101)
        self.assertEqual(self.umi(base64="?")["code"], 300)
        self.assertEqual(self.umi(base64=base64.b64encode(b"hello").decode())["code"], 301)
        self.assertEqual(self.umi(image="x")["code"], 800)
        options = self.server.get("/api/ocr/get_options").json()
        self.assertEqual([value for value, _ in options["data.format"]["optionsList"]], ["dict", "text"])


if __name__ == "__main__":
    support.main()
