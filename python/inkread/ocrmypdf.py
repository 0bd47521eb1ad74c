"""The OCR engine of OCRmyPDF 17 and newer: where both packages are installed, `ocrmypdf` reads with inkread.

    ocrmypdf --rotate-pages --deskew scan.pdf searchable.pdf
    ocrmypdf --ocr-engine tesseract scan.pdf searchable.pdf    # Tesseract, as without this package

OCRmyPDF finds this module by its entry point. docs/ocrmypdf.md has the options, and how Paperless-ngx uses it.
"""

from __future__ import annotations

import argparse
import functools
import math
import pathlib
import typing
from typing import Any, Literal

import PIL.Image
import pydantic
from ocrmypdf import hookimpl
from ocrmypdf.exceptions import BadArgsError, MissingDependencyError
from ocrmypdf.hocrtransform import Baseline, BoundingBox, OcrClass, OcrElement
from ocrmypdf.pluginspec import OcrEngine, OrientationConfidence

from inkread._engine import Engine, version
from inkread._errors import InkreadError
from inkread._models import Size
from inkread._results import Line, Quad, Reading, Word

# Languages, by the codes of OCRmyPDF's --language, whose letters are in the dictionaries of the models.
_LATIN = (
    "afr aze bos cat ces cym dan deu eng epo est eus fin fra gla gle glg hrv hun ind isl ita lat lav lit ltz mlt mri "
    "msa nld nor oci pol por que roh ron slk slv spa sqi srp_latn swa swe tgl tur uzb"
)
_LANGUAGES: dict[Size, frozenset[str]] = {
    "tiny": frozenset(f"chi_sim chi_tra {_LATIN}".split()) - {"aze", "ron"},
    "small": frozenset(f"chi_sim chi_tra jpn {_LATIN}".split()),
    "medium": frozenset(f"chi_sim chi_tra jpn {_LATIN}".split()),
}
# A tilt that is not worth drawing the page anew, degrees: 1 px in 570, less than the corners of lines are placed by.
_LEAST_TILT_DEG = 0.1


class InkreadOptions(pydantic.BaseModel):
    """The options that begin with --inkread, as `options.inkread`."""

    size: Literal["tiny", "small", "medium"] = "small"
    profile: Literal["auto", "pipeline", "fast960"] = "auto"
    backend: Literal["auto", "cpu", "vulkan", "metal"] = "auto"
    precision: Literal["auto", "precise", "fast"] = "auto"
    model_folder: str = ""


@hookimpl
def register_options() -> dict[str, type[pydantic.BaseModel]]:
    return {"inkread": InkreadOptions}


@hookimpl
def add_options(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:  # argparse has no other way to add a choice
        if action.dest == "ocr_engine" and action.choices is not None:
            action.choices = [*action.choices, "inkread"]
    group = parser.add_argument_group("inkread", "The options of the OCR engine inkread")
    for name, text in (
        ("size", "Models: small is the default, tiny is faster, medium reads more"),
        ("profile", "How large the image is in which text is looked for"),
        ("backend", "What reads: a GPU if there is one, or the CPU"),
        ("precision", "precise: 32-bit values throughout; fast: 16 bits where the device has them"),
    ):
        values = InkreadOptions.model_fields[name]
        choices = typing.get_args(values.annotation)
        group.add_argument(f"--inkread-{name}", choices=choices, default=values.default, help=text)
    group.add_argument(
        "--inkread-model-folder",
        metavar="FOLDER",
        default="",
        help="Where the models are; by default $INKREAD_MODELS, else the user's cache folder",
    )


def _is_chosen(options: Any) -> bool:
    return options is None or getattr(options, "ocr_engine", "auto") in ("auto", "inkread")


@hookimpl
def check_options(options: Any) -> None:
    if not _is_chosen(options):
        return
    if options.pdf_renderer == "sandwich":
        raise BadArgsError("--pdf-renderer sandwich needs --ocr-engine tesseract; inkread uses fpdf2, the default")
    try:
        _engine_of(options)
    except InkreadError as error:
        raise MissingDependencyError(f"inkread: {error}") from error


@hookimpl(tryfirst=True)
def get_ocr_engine(options: Any) -> OcrEngine | None:
    return InkreadEngine() if _is_chosen(options) else None


@functools.lru_cache(maxsize=None)
def _engine(size: Size, backend: Any, precision: Any, model_folder: str, num_threads: int) -> Engine:
    return Engine(size, backend=backend, precision=precision, model_folder=model_folder, num_threads=num_threads)


def _engine_of(options: Any) -> Engine:
    """The engine of these options, made once a process.

    It has as many threads as OCRmyPDF has jobs: with a page for each, every page is read by one of them, and the last
    pages of a file are shared among all. Jobs that are processes of their own (--no-use-threads) get one thread each.
    """
    given: InkreadOptions = options.inkread
    num_threads = (options.jobs or 0) if options.use_threads else 1
    return _engine(given.size, given.backend, given.precision, given.model_folder, num_threads)


def _read(input_file: pathlib.Path, options: Any, **more: Any) -> Reading:
    # OCRmyPDF has its own limits of an image's size.
    return _engine_of(options).read(input_file, profile=options.inkread.profile, max_pixels=2**40, **more)


class InkreadEngine(OcrEngine):
    """What OCRmyPDF asks of an engine. Holds nothing: OCRmyPDF makes many."""

    @staticmethod
    def version() -> str:
        return version().partition(" ")[0]

    @staticmethod
    def creator_tag(options: Any) -> str:
        return f"inkread {InkreadEngine.version()}"

    def __str__(self) -> str:
        return f"inkread {InkreadEngine.version()}"

    @staticmethod
    def languages(options: Any) -> frozenset[str]:
        return _LANGUAGES[options.inkread.size]

    @staticmethod
    def get_orientation(input_file: pathlib.Path, options: Any) -> OrientationConfidence:
        """The confidence is the number of characters that are expected to be right when the page is read this way up.

        OCRmyPDF compares it with --rotate-pages-threshold, 14 by default.
        """
        reading = _read(input_file, options)
        quarter_turns = round(reading.turned_deg / 90) % 4
        confidence = sum(line.score * len(line.text) for line in reading.lines)
        return OrientationConfidence(angle=90 * quarter_turns, confidence=confidence)

    @staticmethod
    def get_deskew(input_file: pathlib.Path, options: Any) -> float:
        """Degrees, counter-clockwise, by which the page has to be turned."""
        tilt_deg = _read(input_file, options, recognise=False).turned_deg
        tilt_deg -= 90 * round(tilt_deg / 90)
        return tilt_deg if abs(tilt_deg) >= _LEAST_TILT_DEG else 0.0

    @staticmethod
    def supports_generate_ocr() -> bool:
        return True

    @staticmethod
    def generate_ocr(input_file: pathlib.Path, options: Any, page_number: int = 0) -> tuple[OcrElement, str]:
        reading = _read(input_file, options, words=True)
        return _page(reading, _dpi(input_file), page_number), _text(reading)

    @staticmethod
    def generate_hocr(
        input_file: pathlib.Path, output_hocr: pathlib.Path, output_text: pathlib.Path, options: Any
    ) -> None:
        reading = _read(input_file, options, words=True)
        output_hocr.write_text(reading.to_hocr(), encoding="utf-8")
        output_text.write_text(_text(reading), encoding="utf-8")

    @staticmethod
    def generate_pdf(
        input_file: pathlib.Path, output_pdf: pathlib.Path, output_text: pathlib.Path, options: Any
    ) -> None:
        raise BadArgsError("inkread makes no PDF of its own; use --pdf-renderer fpdf2, the default")


def _text(reading: Reading) -> str:
    return "".join(f"{line.text}\n" for line in reading.lines if line.text)


def _dpi(input_file: pathlib.Path) -> float:
    with PIL.Image.open(input_file) as image:
        return float(image.info.get("dpi", (72.0, 72.0))[0])


def _page(reading: Reading, dpi: float, page_number: int) -> OcrElement:
    return OcrElement(
        OcrClass.PAGE,
        bbox=BoundingBox(0, 0, reading.width_px, reading.height_px),
        children=[element for line in reading.lines for element in _elements(line)],
        dpi=dpi,
        page_number=page_number,
    )


# How far below the baseline letters reach, as a share of a line's height.
_DESCENT = 0.2
# A word whose baseline rises by more than this share of its height can become two words in pdftotext.
_MOST_RISE = 0.15


def _elements(line: Line) -> list[OcrElement]:
    """The line as one element, or as one for each word.

    The latter for a column of vertical writing, as OCRmyPDF writes across only, and for a line that is so askew that
    words on its slope would fall apart; each word is then level.
    """
    words = [word for word in line.words if word.text.strip()]
    if not words:
        return []
    width, height = math.dist(line.quad[0], line.quad[1]), math.dist(line.quad[0], line.quad[3])
    is_column = len(words) > 1 and height > 2 * width
    frame = _Frame(line.quad)
    rise_px = abs(frame.slope) * max(math.dist(word.quad[0], word.quad[1]) for word in words)
    if is_column or rise_px > _MOST_RISE * frame.height:
        return [_element(_Frame(word.quad).level(), word.quad, [word], word.score) for word in words]
    return [_element(frame, line.quad, words, line.score)]


class _Frame:
    """A quad in the page turned by quarters so that its text runs from left to right, up to a tilt."""

    def __init__(self, quad: Quad) -> None:
        dx, dy = quad[1][0] - quad[0][0], quad[1][1] - quad[0][1]
        self.quarter_turns = round(math.degrees(math.atan2(dy, dx)) / 90) % 4  # clockwise, of the text
        corners = [_turned(point, -self.quarter_turns) for point in quad]
        self.left, self.top = corners[0]
        self.width = max(corners[1][0] - self.left, 1.0)
        self.height = max(math.dist(quad[0], quad[3]), 1.0)
        self.slope = (corners[1][1] - self.top) / self.width

    def level(self) -> _Frame:
        self.top += self.slope * self.width / 2
        self.slope = 0.0
        return self


def _element(frame: _Frame, quad: Quad, words: list[Word], score: float) -> OcrElement:
    """A line for OCRmyPDF's renderer, which takes the size of the type from the height of `bbox`.

    The rectangle around a tilted line is higher than its letters, so `bbox` is as high as the left end of the line, and
    the slope of the baseline leads from there to the other end. `poly` has the corners themselves.
    """
    right, bottom = frame.left + frame.width, frame.top + frame.height
    return OcrElement(
        OcrClass.LINE,
        bbox=_around([_turned(point, frame.quarter_turns) for point in ((frame.left, frame.top), (right, bottom))]),
        poly=[(float(x), float(y)) for x, y in quad],
        confidence=score,
        textangle=float((-90 * frame.quarter_turns) % 360),  # counter-clockwise
        baseline=Baseline(slope=frame.slope, intercept=-_DESCENT * frame.height),
        children=[
            OcrElement(OcrClass.WORD, bbox=_around(word.quad), text=word.text, confidence=word.score) for word in words
        ],
    )


def _turned(point: tuple[float, float], quarter_turns: int) -> tuple[float, float]:
    """The point after so many quarter turns, clockwise, about the origin; y grows downwards."""
    x, y = point
    for _ in range(quarter_turns % 4):
        x, y = -y, x
    return x, y


def _around(points: Any) -> BoundingBox:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return BoundingBox(min(xs), min(ys), max(xs), max(ys))
