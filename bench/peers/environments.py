"""Python environments of the peers below build/peers/, created from pinned requirements if missing or out of date."""
import filecmp
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "peers")

# The environment `reference` also prepares the inputs.
SPECIAL = {"reference": os.path.join(ROOT, "tests", "oracle", "requirements.txt")}


class NotAvailable(Exception):
    """A peer cannot be installed or started; the text is the reason."""


def requirements(name):
    return SPECIAL.get(name, os.path.join(HERE, "requirements", f"{name}.txt"))


def python_of(name):
    """The Python of the environment, which is created if necessary. None means the running Python."""
    if name is None:
        return sys.executable
    folder, wanted = os.path.join(BUILD, name), requirements(name)
    python, done = os.path.join(folder, "bin", "python"), os.path.join(folder, "requirements.txt")
    if os.path.exists(done) and filecmp.cmp(wanted, done, shallow=False):
        return python
    print(f"installing {name} in {os.path.relpath(folder, ROOT)}", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    pip = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", wanted],
        capture_output=True,
        text=True,
    )
    if pip.returncode:
        lines = (
            [line for line in pip.stderr.strip().splitlines() if line.startswith("ERROR")]
            or pip.stderr.strip().splitlines()
            or ["pip failed"]
        )
        raise NotAvailable(lines[-1])
    shutil.copy(wanted, done)
    return python
