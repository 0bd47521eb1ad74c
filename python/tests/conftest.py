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


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """For programs that find the package by its entry points, as where it is installed."""
    import tomllib

    project = tomllib.loads((ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = tmp_path_factory.mktemp("site")
    about = site / f"inkread-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: inkread\nVersion: {project['version']}\n")
    groups = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in project["entry-points"].items()
    )
    (about / "entry_points.txt").write_text(groups)
    return {**os.environ, "PYTHONPATH": f"{pathlib.Path(inkread.__file__).parent.parent}{os.pathsep}{site}"}
