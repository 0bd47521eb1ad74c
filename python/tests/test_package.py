"""Types, stubs, and the examples of docs/python.md and README.md."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import RECEIPT, ROOT

import inkread

PACKAGE = ROOT / "python" / "inkread"


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=300)


def test_mypy_is_content(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(
        "import inkread\n"
        "engine = inkread.Engine('tiny', num_threads=2)\n"
        "reading = engine.read('photo.jpg', words=True, region=(0, 0, 10, 10))\n"
        "texts: list[str] = [word.text for line in reading.lines for word in line.words]\n"
        "x: int = reading.lines[0].quad[0][0]\n"
        "engine.read('photo.jpg', colour=True)  # type: ignore[call-arg]\n"
    )
    cache = pathlib.Path(inkread.__file__).parent.parent / "mypy_cache"
    done = run("-m", "mypy", "--strict", "--cache-dir", cache, PACKAGE, user)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["_core", "_fetch"])
def test_stubs_are_those_of_the_modules(module, tmp_path):
    done = run("-m", "nanobind.stubgen", "-m", f"inkread.{module}", "-o", tmp_path / "made.pyi")
    assert done.returncode == 0, done.stderr
    expected = (tmp_path / "made.pyi").read_text()
    assert (PACKAGE / f"{module}.pyi").read_text() == expected, "run the command above and keep what it writes"


def test_everything_public_has_a_docstring():
    for name in inkread.__all__:
        value = getattr(inkread, name)
        if name not in ("Quad", "__version__"):
            assert value.__doc__ and not value.__doc__.startswith(f"{name}("), name
    for name in ("read", "read_many", "read_async"):
        assert getattr(inkread.Engine, name).__doc__


def examples():
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/python.md"))
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(examples())))
def test_the_examples_run(engine, number, tmp_path):
    if not next(model.is_complete for model in inkread.models() if model.size == "small"):
        pytest.skip("no small models, which the examples read with")
    for name in ("photo.jpg", "scans/a.png", "scans/b.png"):
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        shutil.copy(RECEIPT, place)
    program = tmp_path / "example.py"
    program.write_text(examples()[number])
    done = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), examples()[number]
    assert done.stdout != ""


def test_the_pages_have_examples():
    assert len(examples()) >= 7
    assert pathlib.Path(inkread.__file__).with_name("py.typed").exists()
