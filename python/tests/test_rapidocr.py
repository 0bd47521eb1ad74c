"""RapidOCR's interface: what the tests of RapidOCR 3.10 ask of it, as far as it needs no other engine."""

import concurrent.futures
import io

import numpy
import PIL.Image
import pytest
from conftest import RECEIPT

import inkread
from inkread.rapidocr import (
    EngineType,
    LangRec,
    LoadImageError,
    ModelType,
    OCRVersion,
    RapidOCR,
    RapidOCROutput,
    TextDetOutput,
    TextRecOutput,
)


@pytest.fixture
def ocr(engine):
    return RapidOCR(engine=engine)


def test_results_have_their_types(ocr):
    result = ocr(RECEIPT)
    assert isinstance(result, RapidOCROutput)
    assert result.boxes.shape == (len(result), 4, 2) and result.boxes.dtype == numpy.float32
    assert isinstance(result.txts, tuple) and "14:05" in result.txts and len(result.txts) == len(result.scores)
    assert all(isinstance(score, float) and 0.5 <= score <= 1 for score in result.scores)
    assert len(result.elapse_list) == 3 and result.elapse == sum(v for v in result.elapse_list if v is not None) > 0
    assert result.img.shape == (800, 640, 3)
    as_json = result.to_json()
    assert as_json[0].keys() == {"box", "txt", "score"} and len(as_json) == len(result)
    assert "24.00" in result.to_markdown()
    row = next(row for row in result.to_markdown().split("\n") if "Fountain pen" in row)
    assert row.split("  ")[::2] == ["Fountain pen", "89.50"]


@pytest.mark.parametrize("kind", ["str", "path", "bytes", "bgr", "grey", "pil", "rgba", "grey and alpha"])
def test_every_kind_of_image(ocr, pixels, kind):
    grey = numpy.asarray(PIL.Image.fromarray(pixels).convert("L"))
    opaque = numpy.full(grey.shape, 255, numpy.uint8)
    image = {
        "str": str(RECEIPT),
        "path": RECEIPT,
        "bytes": RECEIPT.read_bytes(),
        "bgr": pixels[:, :, ::-1],
        "grey": grey,
        "pil": PIL.Image.fromarray(pixels),
        "rgba": numpy.dstack([pixels, opaque]),
        "grey and alpha": numpy.dstack([grey, opaque]),
    }[kind]
    result = ocr(image)
    assert "Fountain pen" in result.txts
    assert result.img.shape == pixels.shape


def test_transparent_text_is_laid_on_what_it_stands_out_from(ocr, pixels):
    alpha = 255 - numpy.asarray(PIL.Image.fromarray(pixels).convert("L"))  # ink is opaque
    for colour in (0, 255):
        ink = numpy.dstack([numpy.full_like(pixels, colour), alpha])
        expected = ocr(ink).txts
        buffer = io.BytesIO()
        PIL.Image.fromarray(ink).save(buffer, "PNG")
        assert "Fountain pen" in expected
        assert ocr(PIL.Image.fromarray(ink)).txts == expected == ocr(buffer.getvalue()).txts


@pytest.mark.parametrize("image", ["no such file.png", b"no image", 7, numpy.zeros((3, 4, 5), numpy.uint8),
                                   numpy.zeros(4, numpy.uint8), numpy.zeros((40, 50)), "https://example.org/a.png"])
def test_what_is_no_image(ocr, image):
    with pytest.raises(LoadImageError):
        ocr(image)


def test_no_text(ocr):
    result = ocr(numpy.full((100, 200, 3), 255, numpy.uint8))
    assert isinstance(result, RapidOCROutput) and len(result) == 0
    assert (result.boxes, result.txts, result.scores, result.to_json(), result.vis()) == (None,) * 5
    assert len(ocr(numpy.full((100, 200, 3), 255, numpy.uint8), use_rec=False)) == 0


def test_detector_alone(ocr):
    result = ocr(RECEIPT, use_cls=False, use_rec=False)
    assert isinstance(result, TextDetOutput)
    assert result.boxes.shape == (len(result), 4, 2) and len(result.scores) == len(result) > 10 and result.elapse > 0


def test_recogniser_alone(ocr, receipt, pixels):
    quad = next(line.quad for line in receipt.lines if line.text == "Fountain pen")
    line = pixels[quad[0][1]:quad[2][1], quad[0][0]:quad[2][0], ::-1]
    result = ocr(line, use_det=False, use_cls=False, use_rec=True)
    assert isinstance(result, TextRecOutput)
    assert result.txts == ("Fountain pen",) and result.scores[0] > 0.9 and result.imgs[0].shape == line.shape
    assert result.word_results == (None,)


def test_classifier_alone_is_refused(ocr):
    with pytest.raises(inkread.UnsupportedError):
        ocr(RECEIPT, use_det=False, use_cls=True, use_rec=False)


def test_words_and_characters(ocr):
    result = ocr(RECEIPT, return_word_box=True)
    at = result.txts.index("Fountain pen")
    assert [text for text, _, _ in result.word_results[at]] == ["Fountain", "pen"]
    for text, score, box in result.word_results[at]:
        assert 0 < score <= 1 and len(box) == 4 and all(len(point) == 2 for point in box)
    result = ocr(RECEIPT, return_single_char_box=True)  # return_word_box holds on
    assert "".join(text for text, _, _ in result.word_results[at]) == "Fountainpen"
    assert result.vis().shape == result.img.shape
    result = ocr(RECEIPT, return_word_box=False)
    assert result.word_results == ()
    assert result.vis().shape == result.img.shape


def test_text_score_holds_for_later_calls(ocr):
    num_all = len(ocr(RECEIPT, text_score=0.0))
    assert 0 < len(ocr(RECEIPT, text_score=0.999)) == len(ocr(RECEIPT)) < num_all
    assert len(ocr(RECEIPT, text_score=1.1)) == 0


def test_vis_is_saved(ocr, pixels, tmp_path):
    drawn = ocr(pixels[:, :, ::-1]).vis(tmp_path / "vis.png")
    saved = numpy.asarray(PIL.Image.open(tmp_path / "vis.png"))
    assert numpy.array_equal(saved[:, :, ::-1], drawn)
    assert (drawn != pixels[:, :, ::-1]).any()


def test_parameters(engine, tmp_path):
    params = {
        "Global.text_score": 0.999,
        "Global.use_cls": False,
        "Det.engine_type": EngineType.ONNXRUNTIME,
        "Det.ocr_version": OCRVersion.PPOCRV6,
        "Rec.lang_type": LangRec.EN,
        "Rec.model_type": ModelType.TINY,
        "EngineConfig.onnxruntime.intra_op_num_threads": 2,
    }
    ocr = RapidOCR(params=params)
    assert ocr._engine.info == engine.info
    assert ocr(RECEIPT).txts == RapidOCR(engine=engine)(RECEIPT, text_score=0.999).txts
    assert len(RapidOCR(params={**params, "Global.use_rec": False})(RECEIPT)) > 10


@pytest.mark.parametrize("key", ["text_score", "Global", "Global.", "Global.text", "Global.a.b", "Other.model_type", ""])
def test_names_of_settings_are_checked(engine, key):
    with pytest.raises(ValueError, match="is not a valid key"):
        RapidOCR(params={key: 1}, engine=engine)


def test_values_of_settings_are_checked(engine):
    with pytest.raises(TypeError, match="expected an Enum"):
        RapidOCR(params={"Rec.model_type": "tiny"}, engine=engine)
    with pytest.raises(inkread.UnsupportedError, match="korean"):
        RapidOCR(params={"Rec.lang_type": LangRec.KOREAN})
    with pytest.warns(UserWarning, match="box_thresh is 0.9"):
        RapidOCR(params={"Det.box_thresh": 0.9}, engine=engine)
    with pytest.warns(UserWarning, match="unclip_ratio is 2.5"):
        RapidOCR(engine=engine)(RECEIPT, unclip_ratio=2.5)


def test_own_networks(engine):
    folder = next(model.folder for model in inkread.models() if model.size == "tiny")
    ocr = RapidOCR(params={
        "Det.model_path": f"{folder}/det.onnx",
        "Rec.model_path": f"{folder}/rec.onnx",
        "Rec.rec_keys_path": f"{folder}/dictionary.txt",
        "Global.use_cls": False,
    })
    assert "Fountain pen" in ocr(RECEIPT).txts


def test_calls_on_several_threads_keep_their_own_settings(ocr):
    """A setting holds for later calls, but not for one that another thread has begun."""

    def call(number):
        return ocr(RECEIPT, use_rec=number % 2 == 0, return_word_box=number % 4 == 0)

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        results = list(threads.map(call, range(12)))
    for number, result in enumerate(results):
        assert isinstance(result, RapidOCROutput if number % 2 == 0 else TextDetOutput)
        if number % 2 == 0:
            assert bool(result.word_results) == (number % 4 == 0)
