# mypy: disable-error-code="import-not-found, misc"
"""Reading on a cluster: a class for map_batches of Ray Data.

    dataset = ray.data.read_images("scans", mode="RGB", include_paths=True)
    dataset = dataset.map_batches(inkread.ray.Reader, batch_size=8, num_cpus=2, compute=ray.data.ActorPoolStrategy(size=2))

docs/ray.md has the whole program.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy
import ray

from inkread._engine import Engine, ReadOptions
from inkread._errors import InkreadError
from inkread._models import Size

Batch = dict[str, Any]


class Reader:
    """Reads the images of a batch. Each actor makes one engine, on the processors and the GPU that it was given.

    size      of the networks
    column    of the images: "image", arrays of uint8 as ray.data.read_images has them, or "bytes", whole files as
              ray.data.read_binary_files has them
    on_error  "return": what cannot be read has an `error` and the rest of the data set is read; "raise": the batch fails
    read      options of Engine.read, such as {"words": True}
    engine    options of Engine; num_threads and devices follow from num_cpus and num_gpus unless they are given here

    Raises what Engine raises. If models are missing, each actor would fetch them: put them on the nodes beforehand.
    """

    def __init__(
        self,
        size: Size = "small",
        *,
        column: str = "image",
        on_error: Literal["return", "raise"] = "return",
        read: ReadOptions | None = None,
        engine: dict[str, Any] | None = None,
    ) -> None:
        self._column = column
        self._on_error = on_error
        self._read: ReadOptions = read or {}
        self._engine = Engine(size, **{**_resources(), **(engine or {})})

    def __call__(self, batch: Batch) -> Batch:
        """The columns of the batch without the images, and for each of them

        text   its lines, joined by line feeds; "" if it was not read
        json   what `inkread read --jsonl` writes, its `file` from the column "path"; "" if it was not read
        error  "" or why it was not read: "CORRUPT_IMAGE: ..."
        """
        images = batch[self._column]
        paths = batch.get("path", [""] * len(images))
        texts, documents, errors = [], [], []
        readings = self._engine.read_many(map(_image, images), on_error=self._on_error, **self._read)
        for path, reading in zip(paths, readings):
            if isinstance(reading, InkreadError):
                texts.append("")
                documents.append("")
                errors.append(f"{reading.code.name}: {reading}")
            else:
                texts.append(reading.text)
                documents.append(reading.with_file(str(path)).to_json())
                errors.append("")
        kept = {name: values for name, values in batch.items() if name != self._column}
        return {**kept, "text": numpy.array(texts, object), "json": numpy.array(documents, object),
                "error": numpy.array(errors, object)}


def _image(image: Any) -> Any:
    return image if isinstance(image, (bytes, numpy.ndarray)) else bytes(image)


def _resources() -> dict[str, Any]:
    """The engine's options for what Ray has given this actor; nothing outside of Ray."""
    if not ray.is_initialized():
        return {}
    context = ray.get_runtime_context()
    options: dict[str, Any] = {"num_threads": max(int(context.get_assigned_resources().get("CPU", 1)), 1)}
    gpus = context.get_accelerator_ids().get("GPU", [])
    if gpus:
        options["devices"] = tuple(gpus)
    else:
        options["backend"] = "cpu"
    return options
