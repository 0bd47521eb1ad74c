"""inkread finds and reads the text in images, with the PP-OCRv6 networks.

    import inkread

    engine = inkread.Engine()
    print(engine.read("photo.jpg").text)

An engine is made once, for many images and threads. The models are looked for as the command `inkread` does; those that
are missing are fetched when an engine is made, unless INKREAD_OFFLINE=1 is set.
"""

from inkread._core import Cancel
from inkread._engine import Device, Engine, EngineInfo, devices, num_pages, version
from inkread._errors import (
    CancelledError,
    Code,
    CorruptImageError,
    CorruptModelError,
    DeadlineExceededError,
    DeviceLostError,
    InkreadError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OutOfMemoryError,
    PermissionDeniedError,
    UnsupportedError,
)
from inkread._models import Model, fetch_models, models
from inkread._results import Line, Quad, Reading, StageTimes, Word

__version__ = "0.1.0"

__all__ = [
    "Cancel",
    "CancelledError",
    "Code",
    "CorruptImageError",
    "CorruptModelError",
    "DeadlineExceededError",
    "Device",
    "DeviceLostError",
    "Engine",
    "EngineInfo",
    "InkreadError",
    "InternalError",
    "InvalidArgumentError",
    "Line",
    "Model",
    "NotFoundError",
    "OutOfMemoryError",
    "PermissionDeniedError",
    "Quad",
    "Reading",
    "StageTimes",
    "UnsupportedError",
    "Word",
    "__version__",
    "devices",
    "fetch_models",
    "models",
    "num_pages",
    "version",
]
