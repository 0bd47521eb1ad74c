"""The engine of OCRmyPDF, run by its command: scans become PDF/A whose text pdftotext finds."""

import argparse
import re
import shutil
import subprocess
import sys

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
from conftest import RECEIPT, ROOT

import inkread

ocrmypdf = pytest.importorskip("ocrmypdf", reason="no OCRmyPDF (python/requirements.txt)")
pypdfium2 = pytest.importorskip("pypdfium2")
pikepdf = pytest.importorskip("pikepdf")
for program in ("pdftotext", "tesseract"):  # OCRmyPDF wants to see Tesseract's version, whatever the engine
    if shutil.which(program) is None:
        pytest.skip(f"no {program}", allow_module_level=True)

from inkread import ocrmypdf as plugin  # noqa: E402: after the reasons to skip

SIZE = ("--inkread-size", "tiny")


@pytest.fixture(scope="module")
def sheet():
    """The upper part of the receipt on white, so that nothing is lost when it is turned."""
    with PIL.Image.open(RECEIPT) as image:
        part = image.convert("RGB").crop((90, 90, 550, 430))
    sheet = PIL.Image.new("RGB", (600, 460), "white")
    sheet.paste(part, (70, 60))
    return sheet


@pytest.fixture(scope="module")
def prose():
    """Lines that are long enough to tell a tilt by."""
    sheet = PIL.Image.new("RGB", (800, 300), "white")
    font = PIL.ImageFont.load_default(size=22)
    for row, text in enumerate(PROSE):
        PIL.ImageDraw.Draw(sheet).text((60, 50 + 50 * row), text, font=font, fill="black")
    return sheet


PROSE = ("The quick brown fox jumps over the lazy dog", "and a wizard quickly jabs the gnomes", "before they vex him")


def turned(sheet, clockwise_deg):
    quarter = clockwise_deg % 90 == 0
    resample = PIL.Image.Resampling.NEAREST if quarter else PIL.Image.Resampling.BICUBIC
    return sheet.rotate(-clockwise_deg, resample, expand=quarter, fillcolor="white")


def save(path, *pages):
    pages[0].save(path, save_all=True, append_images=pages[1:], resolution=100)
    return path


@pytest.fixture(scope="module")
def run(environment):
    def run(*arguments, **more):
        command = [sys.executable, "-B", "-m", "ocrmypdf", "--quiet", *map(str, arguments)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, **more)

    return run


def good(done):
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def searchable(sheet, prose, run, tmp_path_factory):
    """A folder with in.pdf (the receipt upright, turned by 90 and 180 degrees; prose askew by 3), out.pdf and out.txt."""
    folder = tmp_path_factory.mktemp("searchable")
    save(folder / "in.pdf", *(turned(sheet, angle) for angle in (0, 90, 180)), turned(prose, 3))
    good(run(*SIZE, "--rotate-pages", "--deskew", "--sidecar", folder / "out.txt", folder / "in.pdf", folder / "out.pdf"))
    return folder


def words(text):
    return sorted(re.findall(r"[\w.-]+", text.casefold()))


def pdf_text(path, page):
    command = ["pdftotext", "-f", str(page), "-l", str(page), path, "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_pages_are_upright_and_searchable(engine, sheet, searchable):
    expected = words(engine.read(sheet).text)
    assert "fountain" in expected and "笔记本" in expected
    for page in (1, 2, 3):
        found = words(pdf_text(searchable / "out.pdf", page))
        assert len(set(found) ^ set(expected)) <= 2, f"page {page}: {found}"  # a PDF's JPEG may read differently
    assert pdf_text(searchable / "out.pdf", 4).split() == " ".join(PROSE).split()
    with pypdfium2.PdfDocument(searchable / "out.pdf") as pdf:
        for page in pdf:
            drawn = engine.read(page.render(scale=100 / 72).to_pil())
            assert abs(drawn.turned_deg) < 0.3 and len(drawn.lines) >= 3


def test_it_is_pdf_a_by_this_engine(searchable):
    with pikepdf.open(searchable / "out.pdf") as pdf:
        with pdf.open_metadata() as metadata:
            assert metadata.pdfa_status == "2B"
        assert str(pdf.docinfo.Creator).endswith(f"/ inkread {inkread.__version__}")
        assert pdf.check_pdf_syntax() == []


def test_sidecar(engine, sheet, searchable):
    pages = (searchable / "out.txt").read_text(encoding="utf-8").split("\f")
    assert pages[3].split() == " ".join(PROSE).split()
    assert len(pages) == 4 and all("Fountain pen\n" in page for page in pages[:3])
    assert len(set(words(pages[0])) ^ set(words(engine.read(sheet).text))) <= 2


def boxes_of_words(path, page):
    """Word -> its box, px at 100 dpi."""
    command = ["pdftotext", "-bbox", "-f", str(page), "-l", str(page), path, "-"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r'<word xMin="(.+)" yMin="(.+)" xMax="(.+)" yMax="(.+)">(.+)</word>', out)
    return {word: [float(value) * 100 / 72 for value in box] for *box, word in found}


@pytest.mark.parametrize("in_processes", [False, True])
def test_words_lie_where_they_are(engine, sheet, run, tmp_path, in_processes):
    """On pages that stay as they are, whichever way they lie, and from threads as from processes."""
    angles = (0, 90, 180, 270, 3, -6)
    images = [turned(sheet, angle) for angle in (angles[:2] if in_processes else angles)]
    options = ("--no-use-threads", "--jobs", "2") if in_processes else ()
    good(run(*SIZE, "--output-type", "pdf", *options, save(tmp_path / "in.pdf", *images), tmp_path / "out.pdf"))
    for page, image in enumerate(images, 1):
        found = boxes_of_words(tmp_path / "out.pdf", page)
        for word in engine.read(image, words=True).words:
            if word.text not in ("Fountain", "pen", "89.50", "24.00"):
                continue
            assert word.text in found, f"page {page}: {sorted(found)}"
            left, top, right, bottom = found[word.text]
            xs, ys = [x for x, _ in word.quad], [y for _, y in word.quad]
            across = min(right, max(xs)) - max(left, min(xs))
            down = min(bottom, max(ys)) - max(top, min(ys))
            joined = (max(right, max(xs)) - min(left, min(xs))) * (max(bottom, max(ys)) - min(top, min(ys)))
            assert across > 0 and down > 0 and across * down > 0.4 * joined, f"page {page}: {word} is at {found[word.text]}"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--language", "rus"], "does not have language data"),
        (["--pdf-renderer", "sandwich"], "needs --ocr-engine tesseract"),
        (["--inkread-model-folder", "/nowhere"], "/nowhere"),
        (["--inkread-size", "huge"], "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_an_error_before_work_begins(sheet, run, tmp_path, arguments, reason):
    done = run(*SIZE, *arguments, save(tmp_path / "in.pdf", sheet), tmp_path / "out.pdf")
    assert done.returncode in (1, 2, 3) and reason in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "out.pdf").exists()


class Options:
    ocr_engine, pdf_renderer, jobs, use_threads = "auto", "auto", 2, True
    inkread = plugin.InkreadOptions(size="tiny", backend="cpu")


def test_orientation_and_deskew(engine, sheet, prose, tmp_path):
    for image, angle in ((sheet, 0), (sheet, 90), (sheet, 180), (sheet, 270), (prose, 2), (prose, -0.5)):
        turned(image, angle).save(tmp_path / "page.png")
        orientation = plugin.InkreadEngine.get_orientation(tmp_path / "page.png", Options)
        assert orientation.angle == (angle if angle % 90 == 0 else 0) and orientation.confidence > 14
        deskew = plugin.InkreadEngine.get_deskew(tmp_path / "page.png", Options)
        assert deskew == 0 if angle % 90 == 0 else abs(deskew - angle) < 0.3, f"{angle}: {deskew}"
    PIL.Image.new("RGB", (300, 200), "white").save(tmp_path / "empty.png")
    assert plugin.InkreadEngine.get_orientation(tmp_path / "empty.png", Options) == (0, 0)
    assert plugin.InkreadEngine.get_deskew(tmp_path / "empty.png", Options) == 0
    page, text = plugin.InkreadEngine.generate_ocr(tmp_path / "empty.png", Options)
    assert (page.bbox.width, page.bbox.height, page.children, text) == (300, 200, [], "")


def test_hocr(engine, sheet, tmp_path):
    sheet.save(tmp_path / "page.png")
    plugin.InkreadEngine.generate_hocr(tmp_path / "page.png", tmp_path / "x.hocr", tmp_path / "x.txt", Options)
    tree = ocrmypdf.hocrtransform.HocrParser(tmp_path / "x.hocr").parse()
    assert {"Fountain", "pen"} <= {word.text for word in tree.words}
    assert "Fountain pen\n" in (tmp_path / "x.txt").read_text(encoding="utf-8")


def test_columns_and_tilted_lines():
    def word(text, left, top, right, bottom):
        return inkread.Word(text, 1.0, ((left, top), (right, top), (right, bottom), (left, bottom)))

    column = inkread.Line("縦書", 1.0, 1.0, ((50, 10), (70, 10), (70, 60), (50, 60)), False,
                          (word("縦", 50, 10, 70, 34), word("書", 50, 36, 70, 60)), ())
    assert [[child.text for child in line.children] for line in plugin._elements(column)] == [["縦"], ["書"]]
    level = inkread.Line("ab cd", 1.0, 1.0, ((0, 10), (100, 10), (100, 30), (0, 30)), False,
                         (word("ab", 0, 10, 45, 30), word("cd", 55, 10, 100, 30)), ())
    line, = plugin._elements(level)
    assert (line.bbox.left, line.bbox.top, line.bbox.right, line.bbox.bottom) == (0, 10, 100, 30)
    assert line.baseline.slope == 0 and line.textangle == 0
    upwards = inkread.Line("ab", 1.0, 1.0, ((10, 100), (10, 0), (30, 0), (30, 100)), False,
                           (inkread.Word("ab", 1.0, ((10, 100), (10, 0), (30, 0), (30, 100))),), ())
    line, = plugin._elements(upwards)
    assert line.textangle == 90
    assert (line.bbox.left, line.bbox.top, line.bbox.right, line.bbox.bottom) == (10, 0, 30, 100)


def test_options_of_the_command():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ocr-engine", choices=["auto", "none"])
    plugin.add_options(parser)
    given = parser.parse_args(["--inkread-profile", "pipeline", "--ocr-engine", "inkread"])
    assert given.inkread_profile == "pipeline" and given.inkread_size == "small"
    assert plugin.InkreadOptions.model_fields.keys() == {
        name.removeprefix("inkread_") for name in vars(given) if name.startswith("inkread_")
    }


@pytest.mark.parametrize("size", ["tiny", "small"])
def test_languages_are_those_of_the_dictionary(size):
    """Each letter that a language has beyond a to z is in the dictionary of the models."""
    model = next(model for model in inkread.models() if model.size == size)
    if not model.is_complete:
        pytest.skip(f"no {size} models")
    letters = {
        "aze": "əğ", "ces": "čďěňřšťůž", "cym": "ŵŷ", "dan": "æøå", "deu": "äöüß", "epo": "ĉĝĥĵŝŭ", "est": "õäöü",
        "fra": "éèêëçœ", "hrv": "đžš", "hun": "őű", "isl": "ðþæ", "jpn": "あアい", "lav": "āčēģīķļņšūž",
        "lit": "ąčęėįšųūž", "mlt": "ċġħż", "mri": "āēīōū", "pol": "ąćęłńóśźż", "por": "ãõç", "ron": "ăâîșț",
        "slk": "ĺľŕô", "spa": "ñ", "sqi": "ëç", "tur": "ğışçöü", "vie": "ạảấầẩẫậ", "ell": "άέήώ", "rus": "бгд",
        "kor": "가나다", "chi_sim": "书墨", "chi_tra": "書點",
    }
    with open(f"{model.folder}/dictionary.txt", encoding="utf-8") as file:
        known = set(file.read())
    for language, needed in letters.items():
        assert (language in plugin._LANGUAGES[size]) == (set(needed) <= known), language


def test_the_commands_of_the_page_run(sheet, searchable, run, environment, tmp_path):
    """With the tiny models, for time's sake."""
    page = (ROOT / "docs" / "ocrmypdf.md").read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"^```\n(ocrmypdf.*?)^```", page, re.M | re.S) for line in block.splitlines()]
    program, = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    save(tmp_path / "scan.pdf", sheet)
    for command in commands:
        good(run(*SIZE, *command.split("#")[0].split()[1:], cwd=tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {
        "scan.pdf", "searchable.pdf", "text.txt", "again.pdf", "same.pdf", "tesseract.pdf"
    }
    for name in ("searchable", "again", "same", "tesseract"):
        assert pdf_text(tmp_path / f"{name}.pdf", 1).count("Fountain pen") == 1, name
        with pikepdf.open(tmp_path / f"{name}.pdf") as pdf:
            assert ("Tesseract" in str(pdf.docinfo.Creator)) == (name == "tesseract")
    assert "Fountain pen\n" in (tmp_path / "text.txt").read_text(encoding="utf-8")
    refused = run(*SIZE, tmp_path / "searchable.pdf", tmp_path / "refused.pdf")
    assert refused.returncode == 6 and "already has text" in refused.stderr
    (tmp_path / "searchable.pdf").unlink()
    done = subprocess.run([sys.executable, "-B", "-c", program.replace('"small"', '"tiny"')], env=environment,
                          cwd=tmp_path, capture_output=True, text=True, timeout=300)
    good(done)
    assert "Fountain pen" in pdf_text(tmp_path / "searchable.pdf", 1)
