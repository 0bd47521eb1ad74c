"""The engine."""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import dataclasses
import os
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Union

from inkread import _core
from inkread._errors import InkreadError, InvalidArgumentError, NotFoundError
from inkread._models import Size, fetch_models, is_offline
from inkread._results import BACKENDS, Quad, Reading, make_reading

if TYPE_CHECKING:
    import PIL.Image
    from typing_extensions import Unpack

    # An array is anything with uint8 values that has the buffer protocol or DLPack.
    Image = Union[str, os.PathLike[str], bytes, bytearray, memoryview, PIL.Image.Image, Any]

_SIZES = ("tiny", "small", "medium")
_PRECISIONS = ("auto", "precise", "fast")
_PROFILES = ("auto", "pipeline", "fast960")
_ORDERS = ("reader", "official")
_ALPHAS = ("contrast", "drop")


def _index(names: tuple[str, ...], name: str, option: str) -> int:
    if name not in names:
        raise InvalidArgumentError(f"{option} is {name!r}; expected one of {', '.join(map(repr, names))}")
    return names.index(name)


@dataclasses.dataclass(frozen=True)
class Device:
    """A device of this machine, or the reason why a backend has none."""

    backend: str
    index: int
    """For `Engine(devices=...)`; -1 where the backend has no device."""
    name: str
    details: str
    problem: str
    """Why it cannot be used; empty where it can."""
    not_default_reason: str
    """Why it is only used if it is named; empty where it is a default device."""


@dataclasses.dataclass(frozen=True)
class EngineInfo:
    """What an engine runs on."""

    size: str
    backend: str
    precision: str
    num_threads: int
    has_classifier: bool


class ReadOptions(TypedDict, total=False):
    """The options of one read. They do not affect other reads."""

    detect: bool
    """Find lines. Without it the whole image is read as one line."""
    recognise: bool
    """Read them. Without it lines have no text and a score of 0."""
    boxes: Sequence[Quad]
    """If there are any, each is read as one line, in this order, and nothing is detected."""
    region: tuple[int, int, int, int] | None
    """x, y, width and height in px; nothing outside of it is looked at."""
    cancel: _core.Cancel | None
    """The read raises CancelledError soon after this is cancelled."""
    time_limit_ms: float
    """After this the read raises DeadlineExceededError. 0: no limit."""
    profile: Literal["auto", "pipeline", "fast960"]
    """fast960 first shrinks the longer side to 960 px to find text."""
    official: bool
    """Results and order of the official pipeline."""
    order: Literal["reader", "official"]
    """The order in which people read, or from the top down."""
    use_classifier: bool
    """Where the engine loaded one."""
    score_thresh: float
    """Lines with a lower score are left out and counted."""
    words: bool
    """Fill in `Line.words`."""
    chars: bool
    """Fill in `Line.chars`."""
    max_pixels: int
    """A larger image is refused."""
    page: int
    """Of a TIFF, from 0."""
    apply_exif_rotation: bool
    """Turn files as their EXIF data say."""
    alpha: Literal["contrast", "drop"]
    """Of files: lay transparent images on black or white, whichever is in contrast; or take their colours as they are."""
    bgr: bool
    """Arrays are BGR or BGRA, as OpenCV has them, not RGB or RGBA."""


class _Options:
    """ReadOptions, checked once for many reads."""

    def __init__(self, options: ReadOptions) -> None:
        given: dict[str, Any] = dict(options)
        self.cancel: _core.Cancel | None = given.pop("cancel", None)
        self.bgr = bool(given.pop("bgr", False))
        self.words = bool(given.pop("words", False))
        self.chars = bool(given.pop("chars", False))
        region = given.pop("region", None)
        self.core = _core.ReadOptions(
            detect=given.pop("detect", True),
            recognise=given.pop("recognise", True),
            boxes=[[tuple(map(int, point)) for point in quad] for quad in given.pop("boxes", ())],
            region=None if region is None else tuple(map(int, region)),
            time_limit_ms=given.pop("time_limit_ms", 0.0),
            profile=_index(_PROFILES, given.pop("profile", "auto"), "profile"),
            official=given.pop("official", False),
            order=_index(_ORDERS, given.pop("order", "reader"), "order"),
            use_classifier=given.pop("use_classifier", True),
            score_thresh=given.pop("score_thresh", 0.0),
            words=self.words,
            chars=self.chars,
            max_pixels=given.pop("max_pixels", 100_000_000),
            page=given.pop("page", 0),
            apply_exif_rotation=given.pop("apply_exif_rotation", True),
            alpha=_index(_ALPHAS, given.pop("alpha", "contrast"), "alpha"),
        )
        if given:
            raise TypeError(f"read() has no option {', '.join(map(repr, given))}")


_NO_OPTIONS = ReadOptions()


class _EngineOptions(NamedTuple):
    size: str
    backend: str
    devices: tuple[str, ...]
    strict_backend: bool
    precision: str
    num_threads: int
    use_classifier: bool
    model_folder: str
    det_file: str
    rec_file: str
    dictionary_file: str
    fetch: bool


class Engine:
    """Networks and threads, made once for many images. May be used by several threads at once, which then read at once.

    size             of the networks: "tiny", "small" or "medium"
    backend          "auto", "cpu", "vulkan" or "metal"; auto follows the environment variable INKREAD_BACKEND
    devices          GPUs, each by its index or a part of its name; ("all",): every default device of the backend
    strict_backend   a device's fault is an error instead of a fallback to the CPU
    precision        "precise" is 32-bit float throughout; "fast" may use 16 bits; "auto": fast on GPUs
    num_threads      of the whole engine; 0: as many as affinity and cgroup quota allow
    use_classifier   load the classifier for lines that are upside down
    model_folder     of all sizes, or of one; "": $INKREAD_MODELS, else the user's cache folder
    det_file, rec_file, dictionary_file  networks of your own, each in place of the size's
    fetch            fetch the models if they are missing, unless INKREAD_OFFLINE=1 is set; says so on standard error

    In a child process that was forked, an engine on a CPU makes itself anew at its next read; one on a GPU raises
    InvalidArgumentError, since drivers do not outlive a fork. An engine that is pickled, as for a spawned process, is
    made anew there.

    Raises NotFoundError (a model is missing and was not fetched), CorruptModelError, UnsupportedError (no such device),
    InvalidArgumentError (an option out of range), OutOfMemoryError.
    """

    def __init__(
        self,
        size: Size = "small",
        *,
        backend: Literal["auto", "cpu", "vulkan", "metal"] = "auto",
        devices: Sequence[str | int] = (),
        strict_backend: bool = False,
        precision: Literal["auto", "precise", "fast"] = "auto",
        num_threads: int = 0,
        use_classifier: bool = False,
        model_folder: str | os.PathLike[str] = "",
        det_file: str | os.PathLike[str] = "",
        rec_file: str | os.PathLike[str] = "",
        dictionary_file: str | os.PathLike[str] = "",
        fetch: bool = True,
    ) -> None:
        self._open(
            _EngineOptions(
                size=size,
                backend=backend,
                devices=tuple(map(str, devices)),
                strict_backend=strict_backend,
                precision=precision,
                num_threads=num_threads,
                use_classifier=use_classifier,
                model_folder=os.fspath(model_folder),
                det_file=os.fspath(det_file),
                rec_file=os.fspath(rec_file),
                dictionary_file=os.fspath(dictionary_file),
                fetch=fetch,
            )
        )

    def _open(self, options: _EngineOptions) -> None:
        self._options = options
        try:
            self._core_engine: _core.Engine | None = _create(options)
        except NotFoundError as error:
            has_own_networks = bool(options.det_file and options.rec_file)
            if not options.fetch or has_own_networks:
                raise
            if is_offline():
                raise NotFoundError(f"{error}; INKREAD_OFFLINE is set, so nothing was fetched") from None
            fetch_models(options.size, folder=options.model_folder)  # type: ignore[arg-type]
            self._core_engine = _create(options)
        self._ran_on = BACKENDS[self._core_engine.info()[1]]
        self._lock = threading.Lock()
        _engines.add(self)

    def _engine(self) -> _core.Engine:
        engine = self._core_engine
        if engine is not None:
            return engine
        with self._lock:  # the first read in a forked child
            if self._core_engine is None:
                if self._ran_on != "cpu":
                    raise InvalidArgumentError(
                        f"this engine runs on {self._ran_on} and was made before the process was forked; make one in "
                        "the child, or start processes by 'spawn'"
                    )
                self._core_engine = _create(self._options._replace(backend="cpu", devices=()))
            return self._core_engine

    def _after_fork(self) -> None:
        self._lock = threading.Lock()  # another thread may have held it
        self._core_engine = None  # its memory is not freed: it belongs to threads that are not here

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self._options,)

    def read(self, image: Image, **options: Unpack[ReadOptions]) -> Reading:
        """Finds and reads the text of one image.

        image    a path, the bytes of a JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000 file, an array of uint8 with
                 shape [height, width] or [height, width, 1, 3 or 4 channels], or a PIL image. The pixels of arrays are not
                 copied, whatever the distance of their rows, unless those of a row do not lie side by side.
        options  see ReadOptions

        Raises NotFoundError (no such file), PermissionDeniedError, CorruptImageError, UnsupportedError (a format that is not decoded),
        InvalidArgumentError (an option or a shape), TypeError (an array of another type than uint8), CancelledError,
        DeadlineExceededError, OutOfMemoryError.
        """
        return self._read(image, _Options(options))

    def _read(self, image: Image, options: _Options) -> Reading:
        engine = self._engine()
        # Only the main thread can notice a signal, such as Ctrl-C, and it would not while it reads itself.
        how = options.core, options.cancel, threading.get_ident() == threading.main_thread().ident
        parts = options.words, options.chars
        if isinstance(image, (str, os.PathLike)):
            file = os.fsdecode(image)
            path = os.path.abspath(file)  # for draw(), which may be called from elsewhere
            return make_reading(engine.read_file(os.fsencode(file), *how), file, *parts, path)
        if isinstance(image, (bytes, bytearray)) or (isinstance(image, memoryview) and image.ndim == 1):
            return make_reading(engine.read_bytes(image, *how), "", *parts, None)
        pil = sys.modules.get("PIL.Image")
        if pil is not None and isinstance(image, pil.Image):
            return make_reading(engine.read_array(_pil_pixels(image), False, *how), "", *parts, _reference(image))
        return make_reading(engine.read_array(image, options.bgr, *how), "", *parts, _reference(image), options.bgr)

    def read_many(
        self,
        images: Iterable[Image],
        *,
        num_workers: int = 0,
        on_error: Literal["raise", "return"] = "raise",
        **options: Unpack[ReadOptions],
    ) -> Iterator[Reading | InkreadError]:
        """Reads several images at once; yields their readings in the order of `images`.

        `images` may be endless: no more than twice as many as `num_workers` are taken from it before the first is
        yielded, so memory is bounded.

        num_workers  images that are read at once; 0: as many as the engine has threads
        on_error     "raise": the first error ends the iteration; "return": it is yielded in place of its reading

        Reads that were begun are cancelled when the iterator is closed or interrupted.
        """
        if num_workers < 0:
            raise InvalidArgumentError(f"num_workers is {num_workers}; expected 0 or more")
        if on_error not in ("raise", "return"):
            raise InvalidArgumentError(f"on_error is {on_error!r}; expected 'raise' or 'return'")
        checked = _Options(options)
        return self._read_many(images, num_workers or self._engine().info()[3], on_error == "raise", checked)

    def _read_many(
        self, images: Iterable[Image], num_workers: int, raises: bool, options: _Options
    ) -> Iterator[Reading | InkreadError]:
        cancel = options.cancel = _core.Cancel(options.cancel)
        waiting: collections.deque[concurrent.futures.Future[Reading]] = collections.deque()

        def next_result() -> Reading | InkreadError:
            try:
                return waiting.popleft().result()
            except InkreadError as error:
                if raises:
                    raise
                return error

        with concurrent.futures.ThreadPoolExecutor(num_workers, "inkread") as workers:
            try:
                for image in images:
                    waiting.append(workers.submit(self._read, image, options))
                    if len(waiting) >= 2 * num_workers:
                        yield next_result()
                while waiting:
                    yield next_result()
            finally:
                cancel.cancel()  # of what has not ended
                workers.shutdown(wait=False, cancel_futures=True)

    async def read_async(self, image: Image, **options: Unpack[ReadOptions]) -> Reading:
        """`read` on a thread of the event loop's default executor. Cancelling the task ends the read, too."""
        checked = _Options(options)
        cancel = checked.cancel = _core.Cancel(checked.cancel)
        try:
            return await asyncio.to_thread(self._read, image, checked)
        finally:
            cancel.cancel()

    @property
    def info(self) -> EngineInfo:
        """What the engine runs on at present."""
        size, backend, precision, num_threads, has_classifier = self._engine().info()
        return EngineInfo(_SIZES[size], BACKENDS[backend], _PRECISIONS[precision], num_threads, has_classifier)

    def __repr__(self) -> str:
        return f"inkread.Engine({self._options.size!r}, backend={self._ran_on!r})"


def _reference(image: Any) -> Any:
    """For draw(): a reading does not keep the pixels that it was made from."""
    try:
        return weakref.ref(image)
    except TypeError:
        return None


def _create(options: _EngineOptions) -> _core.Engine:
    return _core.Engine(
        size=_index(_SIZES, options.size, "size"),
        backend=_index(BACKENDS, options.backend, "backend"),
        devices=list(options.devices),
        strict_backend=options.strict_backend,
        precision=_index(_PRECISIONS, options.precision, "precision"),
        num_threads=options.num_threads,
        use_classifier=options.use_classifier,
        model_folder=options.model_folder,
        det_file=options.det_file,
        rec_file=options.rec_file,
        dictionary_file=options.dictionary_file,
    )


def _reopen(options: tuple[Any, ...]) -> Engine:
    engine = Engine.__new__(Engine)
    engine._open(_EngineOptions(*options))
    return engine


# After a fork only the thread that forked is there. What the others held or would have done is not: the engines of the
# parent are left as they are, and those that are used again are made anew.
_engines: weakref.WeakSet[Engine] = weakref.WeakSet()


def _after_fork() -> None:
    for engine in list(_engines):
        engine._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _pil_pixels(image: Any) -> memoryview:
    """The pixels of a PIL image, with shape [height, width(, channels)]."""
    if image.mode in ("I", "F"):
        raise TypeError(f"a PIL image of mode {image.mode!r}; expected 8 or 16 bits a channel, as 'L' or 'RGB'")
    if image.mode.startswith("I;16"):
        image = image.point(lambda value: value / 256).convert("L")
    elif image.mode in ("1", "LA", "La"):
        image = image.convert("L")
    elif image.mode not in ("L", "RGB", "RGBA"):
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    channels = len(image.getbands())
    shape = [image.height, image.width] + ([channels] if channels > 1 else [])
    return memoryview(image.tobytes()).cast("B", shape) if 0 not in shape else memoryview(b"")


def devices() -> list[Device]:
    """The devices of this machine, and for a backend without any the reason."""
    return [Device(BACKENDS[raw[0]], *raw[1:]) for raw in _core.devices()]


def num_pages(image: str | os.PathLike[str] | bytes | bytearray | memoryview) -> int:
    """The number of pages of a TIFF file, or of its bytes; 1 for every other kind of image.

    Raises NotFoundError, CorruptImageError, UnsupportedError.
    """
    if isinstance(image, (str, os.PathLike)):
        return _core.num_pages_of_file(os.fsencode(image))
    return _core.num_pages_of_bytes(image)


def version() -> str:
    """Version, commit and the CPU instruction set in use: "0.1.0 (commit 1a2b3c4, cpu avx3_dl)"."""
    return _core.version()
