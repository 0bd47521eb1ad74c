"""The exceptions of this package, one for each code of the C interface."""

from __future__ import annotations

import enum


class Code(enum.IntEnum):
    """The values of inkread_status_code in inkread.h."""

    INVALID_ARGUMENT = 1
    CORRUPT_MODEL = 2
    UNSUPPORTED = 3
    NOT_FOUND = 4
    CORRUPT_IMAGE = 5
    OUT_OF_MEMORY = 6
    DEVICE_LOST = 7
    CANCELLED = 8
    DEADLINE_EXCEEDED = 9
    INTERNAL = 10
    PERMISSION_DENIED = 11


class InkreadError(Exception):
    """What every failed call raises. The message says where, what was expected and what was found."""

    code: Code = Code.INTERNAL


class InvalidArgumentError(InkreadError, ValueError):
    """An option or an image cannot be used."""

    code = Code.INVALID_ARGUMENT


class CorruptModelError(InkreadError):
    """A model or dictionary file is damaged or is not what it should be."""

    code = Code.CORRUPT_MODEL


class UnsupportedError(InkreadError):
    """Well formed, but this build or backend cannot do it."""

    code = Code.UNSUPPORTED


class NotFoundError(InkreadError):
    """A file, model or device is not there."""

    code = Code.NOT_FOUND


class CorruptImageError(InkreadError):
    """Bytes that are no image, or a damaged one."""

    code = Code.CORRUPT_IMAGE


class OutOfMemoryError(InkreadError, MemoryError):
    """Memory ran out."""

    code = Code.OUT_OF_MEMORY


class DeviceLostError(InkreadError):
    """A device failed; only with `strict_backend`."""

    code = Code.DEVICE_LOST


class CancelledError(InkreadError):
    """The read was ended by its `cancel`."""

    code = Code.CANCELLED


class DeadlineExceededError(InkreadError, TimeoutError):
    """The read took longer than `time_limit_ms`."""

    code = Code.DEADLINE_EXCEEDED


class PermissionDeniedError(InkreadError, PermissionError):
    """A file or folder that this user may not open."""

    code = Code.PERMISSION_DENIED


class InternalError(InkreadError):
    """A mistake in inkread."""

    code = Code.INTERNAL


_CLASSES: dict[int, type[InkreadError]] = {cls.code: cls for cls in InkreadError.__subclasses__()}


def make(code: int, message: bytes) -> InkreadError:
    """The exception for a code; the message is UTF-8 but for the names of files, which are any bytes."""
    return _CLASSES.get(code, InternalError)(message.decode("utf-8", "backslashreplace"))
