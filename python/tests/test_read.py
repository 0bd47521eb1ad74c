"""What a reading holds, and the options of a read."""

import asyncio
import json
import os
import pickle
import shutil
import signal
import subprocess
import threading
import time

import numpy
import PIL.Image
import pytest
from conftest import RECEIPT

import inkread


def test_lines_words_and_characters(receipt):
    line = next(line for line in receipt.lines if line.text == "Fountain pen")
    assert [word.text for word in line.words] == ["Fountain", "pen"]
    assert "".join(char.text for char in line.chars) == "Fountainpen"
    assert 0.9 < line.score <= 1 and 0.5 < line.det_score <= 1 and not line.rotated_180
    assert line.quad[0][0] < line.quad[1][0] and line.quad[0][1] < line.quad[3][1]
    assert receipt.text.split("\n") == [line.text for line in receipt.lines] and str(receipt) == receipt.text
    assert line.words[0] in receipt.words
    assert (receipt.backend, receipt.dropped, receipt.warnings, receipt.ms.total > 0) == ("cpu", 0, (), True)


def test_json_is_that_of_the_command(engine, tmp_path):
    """One source of fields: also for odd names, pages, and readings that came from another process."""
    command = os.environ.get("INKREAD_COMMAND", "")
    if not os.path.exists(command):
        pytest.skip(f"no command at {command!r} (INKREAD_COMMAND)")
    odd = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.png")
    shutil.copy(RECEIPT, odd)
    pages = tmp_path / "two.tif"
    PIL.Image.new("RGB", (64, 64), "white").save(pages, save_all=True, append_images=[PIL.Image.open(RECEIPT)])
    arguments = [command, "read", "--size", "tiny", "--backend", "cpu", "--threads", "2", "--jsonl", "--words", "--chars"]
    lines = subprocess.run([*arguments, odd, str(pages)], capture_output=True, check=True).stdout.splitlines()
    given = {"words": True, "chars": True}
    readings = [engine.read(odd, **given), *(engine.read(pages, page=page, **given) for page in (0, 1))]
    assert len(lines) == 3
    for line, reading in zip(lines, map(pickle.loads, map(pickle.dumps, readings))):
        theirs, ours = json.loads(line), reading.to_dict()
        assert theirs.pop("ms").keys() == ours.pop("ms").keys()
        assert theirs == ours
    plain = subprocess.run([*arguments[:-2], str(RECEIPT)], capture_output=True, check=True).stdout
    assert list(json.loads(plain)) == list(engine.read(RECEIPT).to_dict())  # the same order, too
    assert json.loads(plain)["lines"] == engine.read(RECEIPT).to_dict()["lines"]


def test_other_documents_are_those_of_the_command(engine, receipt):
    command = os.environ.get("INKREAD_COMMAND", "")
    if not os.path.exists(command):
        pytest.skip(f"no command at {command!r} (INKREAD_COMMAND)")
    for option, text in (("hocr", receipt.to_hocr()), ("alto", receipt.to_alto()), ("tsv", receipt.to_tsv())):
        arguments = ["read", "--size", "tiny", "--backend", "cpu", "--threads", "2", "--words", f"--{option}"]
        assert subprocess.run([command, *arguments, RECEIPT], capture_output=True, check=True).stdout.decode() == text


def test_json_of_what_has_no_file(engine, receipt, pixels):
    as_dict = engine.read(pixels, words=True, chars=True).to_dict()
    assert (as_dict["file"], as_dict["page"], as_dict["pages"], as_dict["ms"]["load"]) == ("", 1, 1, 0)
    assert as_dict["lines"] == receipt.to_dict()["lines"] and "words" not in engine.read(pixels).to_dict()["lines"][0]
    assert "words" in engine.read(numpy.full((20, 20), 255, numpy.uint8), words=True, detect=False).to_dict()["lines"][0]
    assert "墨" in receipt.to_json() and "\n" not in receipt.to_json()
    assert receipt.with_file("b.png").to_dict()["file"] == "b.png"
    assert receipt.to_json(indent=1) == json.dumps(receipt.to_dict(), ensure_ascii=False, indent=1)


def test_readings_are_pickled(receipt):
    assert pickle.loads(pickle.dumps(receipt)) == receipt


def differs(image, original):
    return (numpy.asarray(image) != numpy.asarray(original)).any()


def test_draw(engine, receipt, pixels):
    original = PIL.Image.fromarray(pixels)
    drawn = receipt.draw()  # the file is still there
    assert drawn.size == original.size and differs(drawn, original)
    (x, y), red = receipt.lines[0].quad[0], (220, 30, 30)
    assert drawn.getpixel((x, y + 5)) == red
    image = original.copy()
    reading = engine.read(image)
    assert differs(reading.draw(), original) and not differs(image, original)
    assert reading._repr_png_().startswith(b"\x89PNG")
    del image
    with pytest.raises(ValueError, match=r"pass it: reading.draw\(image\)"):
        reading.draw()
    assert reading._repr_png_() is None
    assert differs(reading.draw(original), original)
    bgr = pixels[:, :, ::-1]
    same = engine.read(bgr, bgr=True).draw()
    assert numpy.array_equal(numpy.asarray(same), numpy.asarray(reading.draw(original)))
    assert differs(engine.read(pixels[:, :, :1]).draw(), original)


def test_detector_or_recogniser_alone(engine, receipt):
    found = engine.read(RECEIPT, recognise=False)
    assert len(found.lines) == len(receipt.lines) and found.text.strip() == ""
    boxes = [line.quad for line in receipt.lines[:3]]
    assert len(engine.read(RECEIPT, boxes=boxes).lines) == 3
    assert [line.quad for line in engine.read(RECEIPT, boxes=boxes).lines] == boxes
    quad = next(line.quad for line in receipt.lines if line.text == "Fountain pen")
    region = (quad[0][0], quad[0][1], quad[2][0] - quad[0][0], quad[2][1] - quad[0][1])
    assert engine.read(RECEIPT, detect=False, region=region).text == "Fountain pen"


def test_other_options(engine, receipt):
    assert engine.read(RECEIPT, score_thresh=1.0).dropped > 0
    assert engine.read(RECEIPT, order="official", profile="fast960").text
    assert engine.read(RECEIPT, official=True).turned_deg == 0
    for wrong in ({"order": "random"}, {"profile": "x"}, {"alpha": "x"}, {"region": (0, 0, 9999, 5)},
                  {"time_limit_ms": -1.0}, {"max_pixels": 10}, {"detect": False, "recognise": False}):
        with pytest.raises(inkread.InvalidArgumentError):
            engine.read(RECEIPT, **wrong)
    with pytest.raises(TypeError, match="'colour'"):
        engine.read(RECEIPT, colour=True)


def test_time_limit_and_cancel(engine):
    with pytest.raises(inkread.DeadlineExceededError) as raised:
        engine.read(RECEIPT, time_limit_ms=1e-6)
    assert isinstance(raised.value, TimeoutError) and raised.value.code is inkread.Code.DEADLINE_EXCEEDED
    cancel = inkread.Cancel()
    engine.read(RECEIPT, cancel=cancel)
    cancel.cancel()
    with pytest.raises(inkread.CancelledError):
        engine.read(RECEIPT, cancel=cancel)


def test_a_cancel_of_a_parent(engine):
    parent = inkread.Cancel()
    child, other = inkread.Cancel(parent), inkread.Cancel(parent)
    child.cancel()
    with pytest.raises(inkread.CancelledError):
        engine.read(RECEIPT, cancel=child)
    assert engine.read(RECEIPT, cancel=other).lines
    parent.cancel()
    for cancel in (other, inkread.Cancel(other)):
        with pytest.raises(inkread.CancelledError):
            engine.read(RECEIPT, cancel=cancel)
    del parent, child, other, cancel


class Interrupted(Exception):
    pass


def interrupt(*_):
    raise Interrupted


@pytest.fixture
def alarm():
    """Sets the seconds after which this thread gets a signal whose handler raises, as Ctrl-C does."""
    before = signal.signal(signal.SIGALRM, interrupt)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_signal_ends_a_read(engine, receipt, pixels, alarm):
    large = numpy.tile(pixels, (2, 2, 1))
    start = time.monotonic()
    engine.read(large)
    whole_s = time.monotonic() - start
    cancel = inkread.Cancel()
    for options in ({}, {"cancel": cancel}):
        alarm(whole_s / 8)
        start = time.monotonic()
        with pytest.raises(Interrupted):
            engine.read(large, **options)
        assert time.monotonic() - start < whole_s * 0.75
    alarm(0)
    # Neither the engine nor what else has the same cancel is any different.
    assert engine.read(RECEIPT, cancel=cancel, words=True, chars=True).lines == receipt.lines


def test_the_handler_of_a_signal_may_read(engine, receipt, pixels):
    texts = []
    before = signal.signal(signal.SIGALRM, lambda *_: texts.append(engine.read(RECEIPT).text))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        deadline = time.monotonic() + 60
        while not texts and time.monotonic() < deadline:  # the first reads may end before the signal comes
            assert engine.read(numpy.tile(pixels, (2, 2, 1))).lines
        assert texts == [receipt.text]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_ends_read_many(engine, pixels, alarm):
    large = numpy.tile(pixels, (3, 3, 1))
    alarm(0.1)
    with pytest.raises(Interrupted):
        list(engine.read_many([large], num_workers=1, cancel=inkread.Cancel()))
    alarm(0)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("inkread")]


def test_read_many_keeps_the_order(engine, receipt, pixels):
    white = numpy.full((50, 80), 255, numpy.uint8)
    texts = [reading.text for reading in engine.read_many([RECEIPT, white, pixels, white, RECEIPT], num_workers=3)]
    assert texts == [receipt.text, "", receipt.text, "", receipt.text]
    assert list(engine.read_many([])) == []


def test_read_many_takes_a_bounded_number(engine):
    white = numpy.full((50, 80), 255, numpy.uint8)
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield white

    readings = engine.read_many(endless(), num_workers=2)
    for num_yielded in range(1, 8):
        next(readings)
        assert taken <= num_yielded + 4
    readings.close()
    assert taken < 12


def test_read_many_and_errors(engine):
    white = numpy.full((50, 80), 255, numpy.uint8)
    images = [white, "/no such file", white]
    first, second, third = engine.read_many(images, on_error="return")
    assert isinstance(second, inkread.NotFoundError) and first.lines == third.lines == ()
    with pytest.raises(inkread.NotFoundError):
        list(engine.read_many(images))
    with pytest.raises(inkread.InvalidArgumentError):
        engine.read_many(images, on_error="ignore")
    with pytest.raises(inkread.InvalidArgumentError):
        engine.read_many(images, order="random")


def test_closing_read_many_cancels_what_was_begun(engine, pixels, monkeypatch):
    outcomes = []
    read = engine._read

    def recorded(image, options):
        try:
            reading = read(image, options)
            outcomes.append("read")
            return reading
        except inkread.CancelledError:
            outcomes.append("cancelled")
            raise

    monkeypatch.setattr(engine, "_read", recorded)
    readings = engine.read_many([numpy.tile(pixels, (3, 3, 1))] * 50, num_workers=2)
    next(readings)
    readings.close()
    assert "cancelled" in outcomes and len(outcomes) <= 5


def test_async(engine, receipt):
    async def read():
        return await asyncio.gather(*(engine.read_async(RECEIPT) for _ in range(3)))

    assert [reading.text for reading in asyncio.run(read())] == [receipt.text] * 3

    async def give_up():
        await asyncio.wait_for(engine.read_async(numpy.full((6000, 6000), 255, numpy.uint8)), 0.05)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(give_up())  # waits for the thread, which ends as the read is cancelled


def test_a_cancelled_task_ends_its_read_only(engine, pixels, monkeypatch):
    """Also with a cancel of one's own, which others may have, too."""
    outcomes = []
    read = engine._read

    def recorded(image, options):
        try:
            return read(image, options)
        except inkread.CancelledError:
            outcomes.append("cancelled")
            raise

    monkeypatch.setattr(engine, "_read", recorded)
    cancel = inkread.Cancel()

    async def give_up():
        await asyncio.wait_for(engine.read_async(numpy.tile(pixels, (4, 4, 1)), cancel=cancel), 0.1)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(give_up())
    assert outcomes == ["cancelled"]
    assert engine.read(RECEIPT, cancel=cancel).lines


def test_threads_read_at_once(engine, receipt):
    texts = []
    threads = [threading.Thread(target=lambda: texts.append(engine.read(RECEIPT).text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [receipt.text] * 4


def test_other_threads_run_while_one_reads(engine, pixels):
    large = numpy.tile(pixels, (3, 3, 1))
    thread = threading.Thread(target=engine.read, args=(large,))
    thread.start()
    num_steps = 0
    while thread.is_alive():
        num_steps += 1
        time.sleep(0.001)
    thread.join()
    assert num_steps > 10  # were the interpreter locked, it would be one or two


def test_memory_is_flat(engine):
    def resident_kb():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4

    tiny = numpy.full((8, 8, 3), 255, numpy.uint8)
    for _ in range(300):
        engine.read(tiny)
    before = resident_kb()
    for _ in range(1500):
        engine.read(tiny)
    assert resident_kb() - before < 1024
