"""Everything that can be read: the same text from each."""

import os

import numpy
import PIL.Image
import pytest
from conftest import RECEIPT

import inkread


def test_paths_and_bytes(engine, receipt):
    data = RECEIPT.read_bytes()
    for image in (str(RECEIPT), data, bytearray(data), memoryview(data)):
        assert engine.read(image).text == receipt.text


def test_a_jpeg_2000_file_is_read_to_its_end(engine, tmp_path):
    path = tmp_path / "receipt.jp2"
    with PIL.Image.open(RECEIPT) as image:
        image.convert("RGB").save(path, irreversible=False)
    assert path.stat().st_size > 10_000
    assert engine.read(path).lines == engine.read(path.read_bytes()).lines == engine.read(RECEIPT).lines


def test_a_refused_permission_is_an_error_of_its_own(engine, tmp_path):
    path = tmp_path / "refused.png"
    path.write_bytes(RECEIPT.read_bytes())
    path.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        with pytest.raises(inkread.PermissionDeniedError, match="Permission denied") as refused:
            engine.read(path)
    finally:
        if is_root:
            os.seteuid(0)
    assert refused.value.code == inkread.Code.PERMISSION_DENIED
    assert isinstance(refused.value, PermissionError)


def rows_apart(pixels):
    wide = numpy.zeros((pixels.shape[0], pixels.shape[1] + 7, 3), numpy.uint8)
    wide[:, :-7] = pixels
    return wide[:, :-7]


def read_only(pixels):
    copy = pixels.copy()
    copy.setflags(write=False)
    return copy


@pytest.mark.parametrize(
    "change",
    [
        numpy.ascontiguousarray,
        read_only,
        rows_apart,
        lambda a: a[::-1].copy()[::-1],  # stored bottom row first
        lambda a: a[:, ::-1].copy()[:, ::-1],  # columns from the right: has to be copied
        lambda a: a[:, :, ::-1].copy()[:, :, ::-1],  # stored as BGR, seen as RGB
        numpy.asfortranarray,
        lambda a: numpy.dstack([a, numpy.full(a.shape[:2], 7, numpy.uint8)]),  # RGBA
        lambda a: numpy.dstack([a[:, :, ::-1], a[:, :, :1]])[:, :, [2, 1, 0]],
    ],
)
def test_arrays_of_any_stride(engine, receipt, pixels, change):
    assert engine.read(change(pixels), words=True, chars=True).lines == receipt.lines


def test_bgr_is_a_flag(engine, receipt, pixels):
    assert engine.read(pixels[:, :, ::-1], bgr=True, words=True, chars=True).lines == receipt.lines
    bgra = numpy.dstack([pixels[:, :, ::-1], pixels[:, :, :1]])
    assert engine.read(bgra, bgr=True, words=True, chars=True).lines == receipt.lines
    # Other pixels, so the flag does something: a red page whose text is blue.
    coloured = numpy.where(pixels > 128, [200, 0, 0], [0, 0, 160]).astype(numpy.uint8)
    assert engine.read(coloured).lines != engine.read(coloured, bgr=True).lines


def test_grey_in_each_form(engine, pixels):
    grey = numpy.asarray(PIL.Image.fromarray(pixels).convert("L"))
    three = numpy.repeat(grey[:, :, None], 3, axis=2)
    expected = engine.read(three).lines
    for image in (grey, grey[:, :, None], three[:, :, 1], grey.T.copy().T):
        assert engine.read(image).lines == expected


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "LA", "I;16"])
def test_pil_images_of_each_mode(engine, mode):
    image = PIL.Image.open(RECEIPT).convert("RGB")
    if mode == "I;16":
        image = PIL.Image.fromarray(numpy.asarray(image.convert("L")).astype(numpy.uint16) * 257)
        assert image.mode.startswith("I;16")
    else:
        image = image.convert(mode)
    assert "Fountain pen" in engine.read(image).text  # "1" is dithered, so that not every line is read


def test_a_pil_image_from_a_file(engine, receipt):
    with PIL.Image.open(RECEIPT) as image:
        assert engine.read(image).text == receipt.text


@pytest.mark.parametrize("dtype", ["uint16", "int8", "float32", "float64", "bool", "int64"])
def test_other_dtypes_are_a_clear_type_error(engine, pixels, dtype):
    with pytest.raises(TypeError, match=f"{dtype}; expected uint8"):
        engine.read(pixels.astype(dtype))


@pytest.mark.parametrize("image", [object(), 3, None, ["a.png"], numpy.array(["a", "b"])])
def test_what_is_no_image_is_a_clear_type_error(engine, image):
    with pytest.raises(TypeError, match="expected a path, bytes, an array of uint8 or a PIL image"):
        engine.read(image)
    with pytest.raises(TypeError, match="mode 'F'"):
        engine.read(PIL.Image.new("F", (20, 20)))


@pytest.mark.parametrize("shape", [(5,), (4, 5, 2), (4, 5, 5), (1, 4, 5, 3), (0, 5), (5, 0, 3)])
def test_other_shapes_are_a_value_error(engine, shape):
    with pytest.raises(inkread.InvalidArgumentError):
        engine.read(numpy.zeros(shape, numpy.uint8))


def test_pages(engine, pixels, tmp_path):
    first, second = PIL.Image.new("RGB", (64, 64), "white"), PIL.Image.fromarray(pixels)
    first.save(tmp_path / "two.tif", save_all=True, append_images=[second])
    assert inkread.num_pages(tmp_path / "two.tif") == 2
    assert inkread.num_pages((tmp_path / "two.tif").read_bytes()) == 2
    assert engine.read(tmp_path / "two.tif").lines == ()
    assert "14:05" in engine.read(tmp_path / "two.tif", page=1).text
    with pytest.raises(inkread.InvalidArgumentError, match="two.tif"):
        engine.read(tmp_path / "two.tif", page=2)


def test_names_that_are_not_utf8(engine, receipt, tmp_path):
    name = bytes(tmp_path) + b"/caf\xe9.png"
    with open(name, "wb") as file:
        file.write(RECEIPT.read_bytes())
    assert engine.read(os.fsdecode(name)).text == receipt.text
    with pytest.raises(inkread.NotFoundError, match=r"caf\\xe9.gif"):
        engine.read(os.fsdecode(name)[:-3] + "gif")


def test_a_damaged_file_gives_what_is_left_and_a_warning(engine):
    data = RECEIPT.read_bytes()
    reading = engine.read(data[: len(data) // 2])
    assert reading.warnings and "PNG" in reading.warnings[0]
    with pytest.raises(inkread.CorruptImageError):
        engine.read(b"no image")
    with pytest.raises(inkread.InvalidArgumentError, match="empty"):
        engine.read(b"")
