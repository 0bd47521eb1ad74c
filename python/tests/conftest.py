"""What the tests share. Those that read need the tiny models and skip, saying so, where they are missing."""

from __future__ import annotations

import os
import pathlib

import numpy
import PIL.Image
import pytest

# Nothing is fetched here: a test says so where models are missing.
os.environ["INKREAD_OFFLINE"] = "1"

import inkread  # noqa: E402: after the line above

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECEIPT = ROOT / "samples" / "receipt.png"


@pytest.fixture(scope="session")
def engine() -> inkread.Engine:
    try:
        return inkread.Engine("tiny", backend="cpu", num_threads=2)
    except inkread.NotFoundError as error:
        pytest.skip(f"no tiny models: {error}")


@pytest.fixture(scope="session")
def receipt(engine: inkread.Engine) -> inkread.Reading:
    return engine.read(RECEIPT, words=True, chars=True)


@pytest.fixture(scope="session")
def pixels() -> numpy.ndarray:
    """The receipt as RGB, [height, width, 3]."""
    return numpy.asarray(PIL.Image.open(RECEIPT).convert("RGB"))
