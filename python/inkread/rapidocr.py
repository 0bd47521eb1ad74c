"""The interface of RapidOCR 3.10, with inkread behind it. Needs numpy; what draws needs Pillow.

    from inkread.rapidocr import RapidOCR

    result = RapidOCR()("photo.jpg", return_word_box=True)
    print(result.txts, result.scores, result.boxes.shape)

Call, parameters and results are RapidOCR's. What differs is said in docs/python.md.
"""

from __future__ import annotations

import dataclasses
import enum
import os
import pathlib
import threading
import warnings
from typing import Any, NamedTuple, Union, cast

import numpy
import numpy.typing

from inkread._engine import Engine
from inkread._errors import InkreadError, UnsupportedError
from inkread._models import Size
from inkread._results import Line, Reading, Word

__all__ = [
    "EngineType",
    "LangCls",
    "LangDet",
    "LangRec",
    "LoadImageError",
    "ModelType",
    "OCRVersion",
    "RapidOCR",
    "RapidOCRError",
    "RapidOCROutput",
    "TextClsOutput",
    "TextDetOutput",
    "TextRecOutput",
]

Pixels = numpy.typing.NDArray[numpy.uint8]
Boxes = numpy.typing.NDArray[numpy.float32]
# A text, its score, and its corners as [[x, y], ...].
WordResult = tuple[str, float, Union[list[list[int]], None]]


class EngineType(enum.Enum):
    """Accepted, so that parameters need no change; inkread runs the networks itself."""

    ONNXRUNTIME = "onnxruntime"
    OPENVINO = "openvino"
    PADDLE = "paddle"
    TORCH = "torch"
    TENSORRT = "tensorrt"
    MNN = "mnn"


class ModelType(enum.Enum):
    """MOBILE is read with the small models, SERVER with the medium ones."""

    MOBILE = "mobile"
    SERVER = "server"
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"


class OCRVersion(enum.Enum):
    """Accepted; the models are those of PP-OCRv6, or your own."""

    PPOCRV4 = "PP-OCRv4"
    PPOCRV5 = "PP-OCRv5"
    PPOCRV6 = "PP-OCRv6"


class LangDet(enum.Enum):
    """Accepted; one detector finds all of them."""

    CH = "ch"
    EN = "en"
    MULTI = "multi"


class LangCls(enum.Enum):
    """Accepted; there is one classifier."""

    CH = "ch"


class LangRec(enum.Enum):
    """Those that a PP-OCRv6 recogniser does not read are an UnsupportedError, unless one of your own is given."""

    CH = "ch"
    CH_DOC = "ch_doc"
    EN = "en"
    ARABIC = "arabic"
    CHINESE_CHT = "chinese_cht"
    CYRILLIC = "cyrillic"
    DEVANAGARI = "devanagari"
    JAPAN = "japan"
    KOREAN = "korean"
    KA = "ka"
    LATIN = "latin"
    TA = "ta"
    TE = "te"
    ESLAV = "eslav"
    TH = "th"
    EL = "el"


class RapidOCRError(Exception):
    """What RapidOCR raises of its own."""


class LoadImageError(Exception):
    """The image cannot be loaded, or is none."""


class _LazyImage:
    """Pixels that are only decoded when they are asked for: BGR, [height, width, 3]."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def get(self) -> Pixels | None:
        if self._source is None or isinstance(self._source, numpy.ndarray):
            return self._source
        from inkread._draw import open_image

        self._source = numpy.ascontiguousarray(numpy.asarray(open_image(self._source, False))[:, :, ::-1])
        return cast(Pixels, self._source)


def _draw(image: Pixels | None, quads: list[Any], texts: list[str], save_path: Any) -> Pixels | None:
    import PIL.Image

    from inkread._draw import draw
    from inkread._results import StageTimes

    if image is None or not quads:
        return None
    lines = tuple(
        Line(text, 1.0, 1.0, cast(Any, tuple((round(x), round(y)) for x, y in quad)), False, (), ())
        for quad, text in zip(quads, texts)
    )
    reading = Reading(image.shape[1], image.shape[0], lines, 0.0, "cpu", 0, 0, (), StageTimes(0, 0, 0, 0, 0, 0, 0))
    drawn = draw(reading, image, True)
    if save_path is not None:
        drawn.save(save_path)
    return numpy.ascontiguousarray(numpy.asarray(drawn)[:, :, ::-1])


@dataclasses.dataclass
class RapidOCROutput:
    """What detector and recogniser found. Without text every field is None, and its length is 0."""

    boxes: Boxes | None = None
    """[lines, 4, 2], px; clockwise, from the top left corner of the text."""
    txts: tuple[str, ...] | None = None
    scores: tuple[float, ...] | None = None
    word_results: tuple[tuple[WordResult, ...] | WordResult, ...] = (("", 1.0, None),)
    elapse_list: list[float | None] = dataclasses.field(default_factory=list)
    """Seconds of detector, classifier and recogniser."""
    elapse: float = dataclasses.field(init=False)
    _image: Any = dataclasses.field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.elapse = sum(value for value in self.elapse_list if value is not None)

    def __len__(self) -> int:
        return 0 if self.txts is None else len(self.txts)

    @property
    def img(self) -> Pixels | None:
        """The image as BGR. Of a file it is decoded when this is called, with Pillow."""
        return None if self._image is None else cast("Pixels | None", self._image.get())

    def to_json(self) -> list[dict[str, Any]] | None:
        """[{"box", "txt", "score"}, ...]; None without text."""
        if self.boxes is None or self.txts is None or self.scores is None:
            return None
        return [
            {"box": box.tolist(), "txt": txt, "score": score}
            for box, txt, score in zip(self.boxes, self.txts, self.scores)
        ]

    def to_markdown(self) -> str:
        """The texts; those of lines side by side in a row, further apart than a space, with two spaces between them."""
        if self.boxes is None or self.txts is None:
            return ""
        rows: list[tuple[float, float, list[tuple[float, str]]]] = []
        for box, txt in sorted(zip(self.boxes, self.txts), key=lambda item: float(item[0][:, 1].mean())):
            top, bottom, left = float(box[:, 1].min()), float(box[:, 1].max()), float(box[:, 0].min())
            middle = (top + bottom) / 2
            if rows and rows[-1][0] <= middle <= rows[-1][1]:
                rows[-1][2].append((left, txt))
            else:
                rows.append((top, bottom, [(left, txt)]))
        return "\n".join("  ".join(txt for _, txt in sorted(row)) for _, _, row in rows)

    def vis(self, save_path: str | os.PathLike[str] | None = None) -> Pixels | None:
        """The image as BGR with its lines, or words where there are any, drawn onto it; None without text."""
        if self.boxes is None or self.txts is None:
            return None
        words = [word for line in self.word_results for word in line if isinstance(word, tuple) and word[2] is not None]
        if words:
            return _draw(self.img, [word[2] for word in words], [word[0] for word in words], save_path)
        return _draw(self.img, list(self.boxes), list(self.txts), save_path)


@dataclasses.dataclass
class TextDetOutput:
    """What the detector alone found."""

    boxes: Boxes | None = None
    scores: list[float] | None = None
    elapse: float = 0.0
    _image: Any = dataclasses.field(default=None, repr=False)

    def __len__(self) -> int:
        return 0 if self.boxes is None else len(self.boxes)

    @property
    def img(self) -> Pixels | None:
        return None if self._image is None else cast("Pixels | None", self._image.get())

    def vis(self, save_path: str | os.PathLike[str] | None = None) -> Pixels | None:
        if self.boxes is None:
            return None
        return _draw(self.img, list(self.boxes), [""] * len(self.boxes), save_path)


@dataclasses.dataclass
class TextClsOutput:
    """Of the classifier alone, which inkread does not run; the name is here for type checks."""

    img_list: list[Pixels] | None = None
    cls_res: list[tuple[str, float]] | None = None
    elapse: float | None = None

    def __len__(self) -> int:
        return 0 if self.img_list is None else len(self.img_list)


@dataclasses.dataclass
class TextRecOutput:
    """What the recogniser alone read: the whole image as one line."""

    txts: tuple[str, ...] | None = None
    scores: tuple[float, ...] = (1.0,)
    word_results: tuple[tuple[WordResult, ...] | WordResult | None, ...] = (("", 1.0, None),)
    elapse: float | None = None
    _image: Any = dataclasses.field(default=None, repr=False)

    def __len__(self) -> int:
        return 0 if self.txts is None else len(self.txts)

    @property
    def imgs(self) -> list[Pixels] | None:
        image = None if self._image is None else self._image.get()
        return None if image is None else [image]


_GLOBAL: dict[str, Any] = {
    "text_score": 0.5,
    "use_det": True,
    "use_cls": True,
    "use_rec": True,
    "use_preprocess_img": True,
    "min_side_len": 30,
    "max_side_len": 2000,
    "use_vertical_padding": True,
    "min_height": 30,
    "width_height_ratio": 8,
    "return_word_box": False,
    "return_single_char_box": False,
    "font_path": None,
    "log_level": "info",
    "model_root_dir": None,
}
_SECTIONS = ("Global", "EngineConfig", "Det", "Cls", "Rec")
_ENUMS = ("engine_type", "model_type", "ocr_version", "task_type")
# What of the detector inkread does not let its callers set, with RapidOCR's defaults.
_DETECTOR: dict[str, Any] = {"thresh": 0.3, "box_thresh": 0.5, "unclip_ratio": 1.6}
_LANGUAGES = ("ch", "ch_doc", "en", "chinese_cht", "japan", "latin", "el")
_SIZES: dict[str, Size] = {
    "mobile": "small", "server": "medium", "tiny": "tiny", "small": "small", "medium": "medium"
}


def _value(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value


def _warn(message: str) -> None:
    warnings.warn(f"inkread.rapidocr: {message}", UserWarning, stacklevel=4)


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def _check_params(params: dict[str, Any]) -> None:
    for key, value in params.items():
        parts = key.split(".")
        is_known = len(parts) >= 2 and all(parts) and parts[0] in _SECTIONS
        if not is_known or (parts[0] == "Global" and (len(parts) != 2 or parts[1] not in _GLOBAL)):
            raise ValueError(f"{key} is not a valid key")
        if parts[-1] in _ENUMS and not isinstance(value, enum.Enum):
            raise TypeError(f"the value of {key} is {value!r}; expected an Enum, such as those of this module")


class _Call(NamedTuple):
    """The settings of one call."""

    use_det: bool
    use_cls: bool
    use_rec: bool
    return_word_box: bool
    return_single_char_box: bool
    text_score: float


class RapidOCR:
    """Finds and reads text, with the call of RapidOCR.

    config_path  a YAML file of RapidOCR's settings (needs PyYAML); None, or one that is not there: the defaults
    params       settings by their names: {"Global.text_score": 0.6, "Rec.model_type": ModelType.TINY}
    engine       an inkread.Engine to use instead of one that is made from the settings

    Settings without a meaning here, such as those of other inference engines, are accepted; those of the detector that
    would change results are warned of.

    May be used by several threads at once. A call reads with the settings that hold when it begins.

    Raises ValueError (no such setting), TypeError (a setting that has to be an Enum), inkread.InkreadError (as
    inkread.Engine), inkread.UnsupportedError (a language that no model reads).
    """

    def __init__(
        self,
        config_path: str | os.PathLike[str] | None = None,
        params: dict[str, Any] | None = None,
        *,
        engine: Engine | None = None,
    ) -> None:
        settings: dict[str, Any] = {}
        if config_path is not None and pathlib.Path(config_path).exists():
            import yaml  # type: ignore[import-untyped, unused-ignore]

            settings.update(_flat(yaml.safe_load(pathlib.Path(config_path).read_text(encoding="utf-8"))))
        if params:
            _check_params(params)
            settings.update(params)
        self._settings = {key: _value(value) for key, value in settings.items()}
        glob = {**_GLOBAL, **{key[7:]: value for key, value in self._settings.items() if key.startswith("Global.")}}
        self.text_score: float = glob["text_score"]
        self.use_det: bool = glob["use_det"]
        self.use_cls: bool = glob["use_cls"]
        self.use_rec: bool = glob["use_rec"]
        self.return_word_box: bool = glob["return_word_box"]
        self.return_single_char_box: bool = glob["return_single_char_box"]
        for name, default in _DETECTOR.items():
            self._warn_of_detector(name, self._settings.get(f"Det.{name}", default))
        self._lock = threading.Lock()  # of the settings that a call changes
        self._engine = engine if engine is not None else self._make_engine()

    def _setting(self, key: str, default: Any = None) -> Any:
        value = self._settings.get(key)
        return default if value is None else value

    @staticmethod
    def _warn_of_detector(name: str, value: Any) -> None:
        if value is not None and value != _DETECTOR[name]:
            _warn(f"{name} is {value}, but inkread keeps its own")

    def _make_engine(self) -> Engine:
        rec_file = self._setting("Rec.model_path", "")
        language = self._setting("Rec.lang_type", "ch")
        if language not in _LANGUAGES and not rec_file:
            raise UnsupportedError(
                f"Rec.lang_type is {language!r}, which no PP-OCRv6 model reads; expected one of "
                f"{', '.join(_LANGUAGES)}, or a recogniser of your own (Rec.model_path)"
            )
        if self._setting("Cls.model_path"):
            _warn("Cls.model_path is not used: the classifier is inkread's own")
        size = _SIZES.get(self._setting("Rec.model_type", "small"))
        if size is None:
            raise ValueError(f"Rec.model_type is {self._setting('Rec.model_type')!r}; expected one of ModelType")
        threads = max(
            [value for key, value in self._settings.items() if key.endswith("num_threads") and isinstance(value, int)],
            default=0,
        )
        return Engine(
            size,
            num_threads=max(threads, 0),
            use_classifier=self.use_cls,
            det_file=self._setting("Det.model_path", ""),
            rec_file=rec_file,
            dictionary_file=self._setting("Rec.rec_keys_path", ""),
        )

    def __call__(
        self,
        img_content: Any,
        use_det: bool | None = None,
        use_cls: bool | None = None,
        use_rec: bool | None = None,
        return_word_box: bool | None = None,
        return_single_char_box: bool | None = None,
        text_score: float | None = None,
        box_thresh: float | None = None,
        unclip_ratio: float | None = None,
    ) -> RapidOCROutput | TextDetOutput | TextClsOutput | TextRecOutput:
        """Reads one image. What is given here, other than None, holds for later calls, too, as RapidOCR has it.

        img_content  a path, the bytes of an image file, an array of uint8 (grey, grey and alpha, BGR or RGBA) or a PIL
                     image

        Returns RapidOCROutput, or with use_rec=False a TextDetOutput, or with use_det=False a TextRecOutput.
        Raises LoadImageError, inkread.InkreadError, UnsupportedError (neither detector nor recogniser).
        """
        given = {
            "use_det": use_det,
            "use_cls": use_cls,
            "use_rec": use_rec,
            "return_word_box": return_word_box,
            "return_single_char_box": return_single_char_box,
            "text_score": text_score,
        }
        with self._lock:
            for name, value in given.items():
                if value is not None:
                    setattr(self, name, value)
            call = _Call(*(getattr(self, name) for name in _Call._fields))
        self._warn_of_detector("box_thresh", box_thresh)
        self._warn_of_detector("unclip_ratio", unclip_ratio)
        if not call.use_det and not call.use_rec:
            raise UnsupportedError("neither use_det nor use_rec; the classifier alone is not run")
        source, bgr, is_upright = _load(img_content)
        try:
            reading = self._engine.read(
                source,
                bgr=bgr,
                apply_exif_rotation=is_upright,
                detect=call.use_det,
                recognise=call.use_rec,
                use_classifier=call.use_cls,
                words=call.return_word_box and call.use_rec and not call.return_single_char_box,
                chars=call.return_word_box and call.use_rec and call.return_single_char_box,
                max_pixels=1_000_000_000,
            )
        except (InkreadError, TypeError) as error:
            if isinstance(error, TypeError) or error.code.name in ("NOT_FOUND", "CORRUPT_IMAGE"):
                raise LoadImageError(str(error)) from error
            raise
        image = _LazyImage(img_content if not isinstance(source, numpy.ndarray) else _bgr_of(source, bgr))
        return _output(reading, image, call)


def _output(reading: Reading, image: _LazyImage, call: _Call) -> RapidOCROutput | TextDetOutput | TextRecOutput:
    ms = reading.ms
    det_s = (ms.detect_input + ms.detect + ms.boxes) / 1e3
    rec_s = (ms.crop + ms.recognise + ms.decode) / 1e3
    if not call.use_rec:
        if not reading.lines:
            return TextDetOutput()
        return TextDetOutput(_boxes(reading.lines), [line.det_score for line in reading.lines], det_s, image)
    if not call.use_det:
        lines = reading.lines
        return TextRecOutput(
            tuple(line.text for line in lines),
            tuple(line.score for line in lines),
            tuple(_words_of(line, call) for line in lines) if call.return_word_box else (None,) * len(lines),
            rec_s,
            image,
        )
    lines = tuple(line for line in reading.lines if line.text.strip() and line.score >= call.text_score)
    if not lines:
        return RapidOCROutput()
    return RapidOCROutput(
        _boxes(lines),
        tuple(line.text for line in lines),
        tuple(line.score for line in lines),
        tuple(_words_of(line, call) for line in lines) if call.return_word_box else (),
        [det_s, 0.0 if call.use_cls else None, rec_s],
        image,
    )


def _words_of(line: Line, call: _Call) -> tuple[WordResult, ...]:
    parts: tuple[Word, ...] = line.chars if call.return_single_char_box else line.words
    return tuple((part.text, part.score, [list(point) for point in part.quad]) for part in parts)


def _boxes(lines: tuple[Line, ...]) -> Boxes:
    return numpy.array([line.quad for line in lines], numpy.float32)


def _load(image: Any) -> tuple[Any, bool, bool]:
    """What Engine.read takes, whether it is BGR, and whether it is turned as its EXIF data say."""
    if isinstance(image, (str, pathlib.Path)):
        if str(image).startswith(("http://", "https://")):
            raise LoadImageError(f"{image}: addresses are not read; fetch the file first")
        if not pathlib.Path(image).exists():
            raise LoadImageError(f"{image} does not exist")
        return image, False, True
    if isinstance(image, bytes):
        return image, False, False
    if isinstance(image, numpy.ndarray):
        return _array(image)
    if type(image).__module__.partition(".")[0] == "PIL":
        if image.mode in ("LA", "RGBA", "PA") or "transparency" in image.info:
            return _array(numpy.asarray(image.convert("RGBA")))
        return image, False, True
    raise LoadImageError(f"an image of type {type(image).__name__}; expected a path, bytes, an array or a PIL image")


def _array(array: Any) -> tuple[Any, bool, bool]:
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 2, 3, 4)):
        raise LoadImageError(f"an array of shape {list(array.shape)}; expected 2 axes, or 3 with 1 to 4 channels")
    if array.dtype != numpy.uint8:
        raise LoadImageError(f"an array of {array.dtype}; expected uint8")
    if array.ndim == 2 or array.shape[2] in (1, 3):
        return array, True, True
    # Transparent: on black if what is seen is light, else on white; grey always on white.
    colours, alpha = array[:, :, :-1], array[:, :, -1:]
    ground = 255
    if array.shape[2] == 4:
        seen = colours[alpha[:, :, 0] > 0]
        if seen.size and float((seen @ numpy.array([0.299, 0.587, 0.114])).mean()) >= 128:
            ground = 0
    opaque = alpha.astype(numpy.float32) / 255
    return (colours * opaque + ground * (1 - opaque)).astype(numpy.uint8), False, True


def _bgr_of(array: Pixels, bgr: bool) -> Pixels:
    if array.ndim == 2 or array.shape[2] == 1:
        return numpy.repeat(array.reshape(*array.shape[:2], 1), 3, axis=2)
    return array if bgr else numpy.ascontiguousarray(array[:, :, ::-1])
