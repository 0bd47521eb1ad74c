"""What a read returns."""

from __future__ import annotations

import dataclasses
import io
import json
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

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "score": round(self.score, 6), "quad": [list(point) for point in self.quad]}


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

    def to_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "text": self.text,
            "score": round(self.score, 6),
            "det_score": round(self.det_score, 6),
            "quad": [list(point) for point in self.quad],
        }
        if self.words:
            result["words"] = [word.to_dict() for word in self.words]
        if self.chars:
            result["chars"] = [char.to_dict() for char in self.chars]
        return result


class StageTimes(NamedTuple):
    """Wall-clock milliseconds of one read."""

    total: float
    detect_input: float
    detect: float
    boxes: float
    crop: float
    recognise: float
    decode: float


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

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and dicts, with the names that `inkread read --json` has."""
        return {
            "width": self.width_px,
            "height": self.height_px,
            "turned": round(self.turned_deg, 1) + 0.0,
            "backend": self.backend,
            "warnings": list(self.warnings),
            "dropped": self.dropped,
            "lines": [line.to_dict() for line in self.lines],
            "ms": {name: round(value, 3) for name, value in self.ms._asdict().items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; characters outside of ASCII stay as they are."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

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


def _words(raw: list[tuple[Any, ...]]) -> tuple[Word, ...]:
    return tuple(map(Word._make, raw))


def make_reading(raw: tuple[Any, ...], image: Any, bgr: bool = False) -> Reading:
    """From the tuples of inkread._core; `image` is what draw() draws onto."""
    width_px, height_px, lines, turned_deg, backend, device, dropped, warnings, ms = raw
    return Reading(
        width_px=width_px,
        height_px=height_px,
        lines=tuple(Line._make((*line[:5], _words(line[5]), _words(line[6]))) for line in lines),
        turned_deg=turned_deg,
        backend=BACKENDS[backend],
        device=device,
        dropped=dropped,
        warnings=tuple(warnings),
        ms=StageTimes._make(ms),
        _image=image,
        _bgr=bgr,
    )
