"""Checks the packages pinned in requirements.txt; other versions would draw other pixels."""
import pathlib
import sys
from importlib import metadata

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def missing():
    """One line for each package that is missing or has another version."""
    complaints = []
    for line in REQUIREMENTS.read_text(encoding="utf-8").split():
        name, wanted = line.split("==")
        try:
            got = metadata.version(name)
        except metadata.PackageNotFoundError:
            got = "missing"
        if got != wanted:
            complaints.append(f"{name} is {got}, expected {wanted} (bench/dataset/requirements.txt)")
    return complaints


def require():
    complaints = missing()
    if complaints:
        sys.exit("\n".join(complaints) + "\n./dev dataset creates an environment that has them.")
