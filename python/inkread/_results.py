"""What a read returns."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import PIL.Image

Point = tuple[int, int]
# Clockwise, from the top left corner of the text; px of the image as passed in or decoded.
Quad = tuple[Point, Point, Point, Point]

BACKENDS = ("auto", "cpu", "vulkan", "metal")


class Word(NamedTuple):
    """A word of a line, or one of its characters."""

    text: str
    score: float
    """Mean confidence of its characters, [0, 1]."""
    quad: Quad
    """Around its ink; clockwise, from the top left corner of the text."""


class Line(NamedTuple):
    """A line of text."""

    text: str
    """May be empty where a region was found but nothing was read."""
    score: float
    """Confidence of the recogniser, [0, 1]."""
    det_score: float
    """Confidence of the detector, [0, 1]."""
    quad: Quad
    """Corners in px, clockwise, from the top left corner of the text."""
    rotated_180: bool
    """The line is upside down against the rest of the page."""
    words: tuple[Word, ...]
    """In reading direction; empty unless the read was asked for them."""
    chars: tuple[Word, ...]
    """The same for characters."""


class StageTimes(NamedTuple):
    """Wall-clock milliseconds of one read."""

    total: float
    detect_input: float
    detect: float
    boxes: float
    crop: float
    recognise: float
    decode: float
    load: float = 0.0
    """To load and decode the file, before `total`; 0 for arrays and PIL images."""


@dataclasses.dataclass(frozen=True)
class Reading:
    """The text of one image."""

    width_px: int
    height_px: int
    lines: tuple[Line, ...]
    """In reading order, or the order that the read was asked for."""
    turned_deg: float
    """By how many degrees the content is turned clockwise in the image, in (-45, 315]."""
    backend: str
    """The one that ran: "cpu", "vulkan" or "metal"."""
    device: int
    """Index of the device among those of the engine."""
    dropped: int
    """Number of lines left out because of `score_thresh`."""
    warnings: tuple[str, ...]
    """For people: "PNG: truncated at row 231 of 480; the rest is blank"."""
    ms: StageTimes
    file: str = ""
    """The path as it was passed; empty for anything else."""
    page: int = 0
    """Of a TIFF, from 0."""
    num_pages: int = 1
    """Of the file."""
    _words: bool = dataclasses.field(default=False, repr=False, compare=False)
    _chars: bool = dataclasses.field(default=False, repr=False, compare=False)
    _image: Any = dataclasses.field(default=None, repr=False, compare=False)
    _bgr: bool = dataclasses.field(default=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The texts of all lines, joined by line feeds."""
        return "\n".join(line.text for line in self.lines)

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of all lines; empty unless the read was asked for them."""
        return tuple(word for line in self.lines for word in line.words)

    def with_file(self, file: str) -> Reading:
        """The same reading under the name `file`, for documents: of bytes or an array that came from there."""
        return dataclasses.replace(self, file=file)

    def to_dict(self) -> dict[str, Any]:
        """What `to_json` writes, as numbers, strings, lists and dicts."""
        result: dict[str, Any] = json.loads(self.to_json())
        return result

    def to_json(self, indent: int | None = None) -> str:
        """What `inkread read --jsonl` writes for the image (docs/reading.schema.json, page); not only ASCII."""
        line = self._write("json").rstrip("\n")
        return line if indent is None else json.dumps(json.loads(line), ensure_ascii=False, indent=indent)

    def to_hocr(self) -> str:
        """What `inkread read --hocr` writes. A line that was read without `words` is one word."""
        return self._write("hocr")

    def to_alto(self) -> str:
        """What `inkread read --alto` writes. A line that was read without `words` is one word."""
        return self._write("alto")

    def to_tsv(self) -> str:
        """What `inkread read --tsv` writes. A line that was read without `words` is one word."""
        return self._write("tsv")

    def _write(self, format: str) -> str:
        from inkread import _formats

        file, backend = os.fsencode(self.file), BACKENDS.index(self.backend)
        return _formats.write(self, format, file, backend, self._words, self._chars)

    def draw(self, image: Any = None) -> PIL.Image.Image:
        """The image with its lines in red, numbered in their order, and its words in blue. Needs Pillow.

        image  a path, bytes, an array or a PIL image; None: the file that was read, or the array or PIL image if it is
               still in use elsewhere

        Raises ValueError if there is no image.
        """
        from inkread._draw import draw

        source = self._image if image is None else image
        if isinstance(source, weakref.ref):
            source = source()
        if source is None:
            raise ValueError("a reading does not keep the image that it is of; pass it: reading.draw(image)")
        return draw(self, source, self._bgr)

    def _repr_png_(self) -> bytes | None:
        """What notebooks show; None, so that they show text, without Pillow or without the image."""
        try:
            image = self.draw()
        except (ImportError, ValueError, OSError):
            return None
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return buffer.getvalue()

    def __str__(self) -> str:
        return self.text

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_image": None}  # a reading is sent between processes without its image


def _word_tuples(raw: list[tuple[Any, ...]]) -> tuple[Word, ...]:
    return tuple(map(Word._make, raw))


def make_reading(raw: tuple[Any, ...], file: str, words: bool, chars: bool, image: Any, bgr: bool = False) -> Reading:
    """From the tuples of inkread._core; `image` is what draw() draws onto."""
    width_px, height_px, lines, turned_deg, backend, device, dropped, warnings, ms, page, num_pages = raw
    return Reading(
        width_px=width_px,
        height_px=height_px,
        lines=tuple(Line._make((*line[:5], _word_tuples(line[5]), _word_tuples(line[6]))) for line in lines),
        turned_deg=turned_deg,
        backend=BACKENDS[backend],
        device=device,
        dropped=dropped,
        warnings=tuple(warnings),
        ms=StageTimes._make(ms),
        file=file,
        page=page,
        num_pages=num_pages,
        _words=words,
        _chars=chars,
        _image=image,
        _bgr=bgr,
    )
