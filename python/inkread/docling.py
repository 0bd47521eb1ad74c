# mypy: disable-error-code="import-not-found, import-untyped, misc, unused-ignore"
"""The OCR engine "inkread" of docling, found by its entry point; used where external plug-ins are allowed.

    options = PdfPipelineOptions(allow_external_plugins=True, ocr_options=inkread.docling.InkreadOcrOptions())

docs/docling.md has the whole program.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

import numpy
from docling.datamodel.accelerator_options import AcceleratorOptions
from docling.datamodel.base_models import Page
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import OcrOptions
from docling.datamodel.settings import settings
from docling.models.base_ocr_model import BaseOcrModel
from docling.utils.profiling import TimeRecorder
from docling_core.types.doc import BoundingBox, CoordOrigin
from docling_core.types.doc.page import BoundingRectangle, TextCell

from inkread._engine import Engine
from inkread._results import Line


class InkreadOcrOptions(OcrOptions):
    """The fields are those of inkread.Engine and its read; `mode` and `scale` are docling's.

    lang  stays empty: a model reads all languages that it knows at once
    """

    kind: ClassVar[Literal["inkread"]] = "inkread"
    canonicalize_lang: ClassVar[bool] = False

    lang: list[str] = []
    size: Literal["tiny", "small", "medium"] = "small"
    profile: Literal["auto", "pipeline", "fast960"] = "auto"
    backend: Literal["auto", "cpu", "vulkan", "metal"] = "auto"
    precision: Literal["auto", "precise", "fast"] = "auto"
    score_thresh: float = 0.5
    """Lines with a lower score are left out."""


class InkreadOcrModel(BaseOcrModel):
    """Reads the parts of pages that docling wants to have read.

    Models are those of inkread's own folder, or of `artifacts_path` / "inkread" where docling has an artifacts_path.
    """

    def __init__(
        self,
        *,
        enabled: bool,
        artifacts_path: pathlib.Path | None,
        options: InkreadOcrOptions,
        accelerator_options: AcceleratorOptions,
    ) -> None:
        super().__init__(
            enabled=enabled,
            artifacts_path=artifacts_path,
            options=options,
            accelerator_options=accelerator_options,
        )
        self.options: InkreadOcrOptions = options
        if options.lang:
            raise ValueError(f"lang is {options.lang}; expected none, as inkread reads all languages of a model at once")
        if enabled:
            backend = options.backend
            if backend == "auto" and accelerator_options.device == "cpu":
                backend = "cpu"
            self._engine = Engine(
                options.size,
                backend=backend,
                precision=options.precision,
                num_threads=accelerator_options.num_threads,
                model_folder="" if artifacts_path is None else artifacts_path / "inkread",
            )

    def __call__(self, conv_res: ConversionResult, page_batch: Iterable[Page]) -> Iterable[Page]:
        for page in page_batch:
            if self.enabled and page._backend is not None and page._backend.is_valid():
                with TimeRecorder(conv_res, "ocr"):
                    rects = [rect for rect in self.get_ocr_rects(page) if rect.area() > 0]
                    cells = [cell for rect in rects for cell in self._cells(page, rect)]
                    self.post_process_cells(cells, page, conv_res)
                if settings.debug.visualize_ocr:
                    self.draw_ocr_rects_and_cells(conv_res, page, rects)
            yield page

    def _cells(self, page: Any, rect: BoundingBox) -> list[TextCell]:
        image = page._backend.get_page_image(scale=self.options.scale, cropbox=rect)
        # docling draws a page to its size in points times `scale`, whatever that makes.
        reading = self._engine.read(
            numpy.asarray(image.convert("RGB")),
            profile=self.options.profile,
            score_thresh=self.options.score_thresh,
            max_pixels=2**40,
        )
        return [_cell(line, rect, self.options.scale) for line in reading.lines if line.text.strip()]

    @classmethod
    def get_options_type(cls) -> type[OcrOptions]:
        return InkreadOcrOptions


def _cell(line: Line, rect: BoundingBox, scale: float) -> TextCell:
    """The line at its place on the page, in points from the top left."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((rect.l + x / scale, rect.t + y / scale) for x, y in line.quad)
    # docling's first corner is the bottom left of the text, and the others follow counter-clockwise.
    corners = BoundingRectangle(
        r_x0=x3, r_y0=y3, r_x1=x2, r_y1=y2, r_x2=x1, r_y2=y1, r_x3=x0, r_y3=y0, coord_origin=CoordOrigin.TOPLEFT
    )
    return TextCell(index=0, text=line.text, orig=line.text, confidence=line.score, from_ocr=True, rect=corners)


def ocr_engines() -> dict[str, list[type[BaseOcrModel]]]:
    """What docling's entry point asks for."""
    return {"ocr_engines": [InkreadOcrModel]}
