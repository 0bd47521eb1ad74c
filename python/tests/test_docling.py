"""docling's plug-in, against docling's own classes: a scanned PDF through its standard pipeline.

What finds the parts of a page and its tables in docling needs PyTorch and networks that are fetched at run time. Models
of this test stand for them: one that takes the whole page for one text, and one that finds no tables.
"""

import pytest
from conftest import ROOT

pytest.importorskip("docling", reason="no docling (docs/docling.md says how this is run)")
import PIL.Image  # noqa: E402: after the reason to skip
from docling.datamodel.base_models import BoundingBox, Cluster, InputFormat, LayoutPrediction  # noqa: E402
from docling.datamodel.document import InputDocument  # noqa: E402
from docling.datamodel.pipeline_options import (  # noqa: E402
    BaseLayoutOptions,
    OcrMode,
    TableStructureOptions,
    ThreadedPdfPipelineOptions,
)
from docling.backend.pypdfium2_backend import PyPdfiumDocumentBackend  # noqa: E402
from docling.models.base_layout_model import BaseLayoutModel  # noqa: E402
from docling.models.factories import get_layout_factory, get_ocr_factory  # noqa: E402
from docling_core.types.doc import DocItemLabel  # noqa: E402

import inkread  # noqa: E402
from inkread import docling as plugin  # noqa: E402

RECEIPT = ROOT / "samples" / "receipt.png"


def test_the_factory_registers_it():
    factory = get_ocr_factory(allow_external_plugins=True)
    if "inkread" not in factory.registered_kind:  # the package is not installed here, so there is no entry point
        factory.process_plugin(plugin.ocr_engines(), "inkread", plugin.__name__)
    assert "inkread" in factory.registered_kind
    options = factory.create_options("inkread", size="tiny")
    assert isinstance(options, plugin.InkreadOcrOptions) and options.size == "tiny" and options.mode is OcrMode.DEFAULT


class WholePageOptions(BaseLayoutOptions):
    kind = "whole_page"


class WholePage(BaseLayoutModel):
    def __init__(self, *, options, **_):
        self.options = options

    @classmethod
    def get_options_type(cls):
        return WholePageOptions

    def predict_layout(self, conv_res, pages):
        for page in pages:
            box = BoundingBox(l=0, t=0, r=page.size.width, b=page.size.height)
            yield LayoutPrediction(clusters=[Cluster(id=0, label=DocItemLabel.TEXT, bbox=box, confidence=1.0)])


class NoTables:
    def __init__(self, **_):
        pass

    @classmethod
    def get_options_type(cls):
        return TableStructureOptions

    def __call__(self, conv_res, page_batch):
        yield from page_batch


@pytest.mark.parametrize("mode", [OcrMode.FULL_PAGE, OcrMode.DEFAULT])
def test_a_scanned_pdf_is_converted(engine, tmp_path, mode, monkeypatch):
    monkeypatch.setattr("docling.models.plugins.defaults.table_structure_engines",
                        lambda: {"table_structure_engines": [NoTables]})
    from docling.pipeline.standard_pdf_pipeline import StandardPdfPipeline

    test_the_factory_registers_it()
    layouts = get_layout_factory(allow_external_plugins=True)
    if "whole_page" not in layouts.registered_kind:
        layouts.register(WholePage, "test", __name__)
    with PIL.Image.open(RECEIPT) as image:
        image.convert("RGB").save(tmp_path / "scan.pdf", resolution=72)
    options = ThreadedPdfPipelineOptions(
        allow_external_plugins=True,
        ocr_options=plugin.InkreadOcrOptions(size="tiny", backend="cpu", mode=mode),
        layout_options=WholePageOptions(),
        do_table_structure=False,
        generate_parsed_pages=True,
    )
    document = InputDocument(path_or_stream=tmp_path / "scan.pdf", format=InputFormat.PDF,
                             backend=PyPdfiumDocumentBackend, filename="scan.pdf")
    converted = StandardPdfPipeline(options).execute(document, raises_on_error=True)
    text = converted.document.export_to_text()
    assert all(part in text for part in ("Fountain pen", "笔记本", "2026-11-30"))
    # The cells lie where the lines are, in points, which are px here.
    line = next(line for line in engine.read(RECEIPT).lines if line.text == "Fountain pen")
    cell = next(cell for cell in converted.pages[0].parsed_page.textline_cells if cell.text == "Fountain pen")
    box = cell.rect.to_bounding_box()
    assert cell.from_ocr and 0.9 < cell.confidence <= 1
    assert abs(cell.rect.angle) < 0.05 and (cell.rect.width, cell.rect.height) == pytest.approx((153, 28), abs=6)
    for value, expected in ((box.l, line.quad[0][0]), (box.t, line.quad[0][1]), (box.r, line.quad[2][0]), (box.b, line.quad[2][1])):
        assert abs(value - expected) <= 5


def test_languages_are_not_chosen():
    from docling.datamodel.accelerator_options import AcceleratorOptions

    with pytest.raises(ValueError, match="expected none"):
        plugin.InkreadOcrModel(enabled=True, artifacts_path=None, accelerator_options=AcceleratorOptions(),
                               options=plugin.InkreadOcrOptions(lang=["de"]))


def test_models_missing_in_the_artifacts_folder_are_an_error(tmp_path):
    from docling.datamodel.accelerator_options import AcceleratorOptions

    with pytest.raises(inkread.NotFoundError, match=str(tmp_path)):
        plugin.InkreadOcrModel(enabled=True, artifacts_path=tmp_path, accelerator_options=AcceleratorOptions(),
                               options=plugin.InkreadOcrOptions(size="tiny"))
