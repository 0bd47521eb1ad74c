"""Making engines: options, missing models, forked and spawned processes, pickling."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import pytest
from conftest import RECEIPT

import inkread
from inkread import _models


def test_info(engine):
    info = engine.info
    assert (info.size, info.backend, info.precision, info.num_threads) == ("tiny", "cpu", "precise", 2)
    assert repr(engine) == "inkread.Engine('tiny', backend='cpu')"
    assert inkread.version().startswith(inkread.__version__)
    assert "cpu" in [device.backend for device in inkread.devices()]


@pytest.mark.parametrize(
    "options",
    [{"size": "huge"}, {"backend": "cuda"}, {"precision": "exact"}, {"num_threads": -1}],
)
def test_options_out_of_range(options):
    with pytest.raises(inkread.InvalidArgumentError) as raised:
        inkread.Engine(**{"size": "tiny", **options})
    assert raised.value.code == 1 and isinstance(raised.value, ValueError)


def test_every_code_has_an_exception():
    from inkread import _core, _errors

    for code in inkread.Code:
        error = _errors.make(code, b"why")
        assert error.code is code and str(error) == "why" and isinstance(error, inkread.InkreadError)
        assert _core.status_name(code) == code.name
        assert type(error).__name__ in inkread.__all__
    assert _core.status_name(len(inkread.Code) + 1) == "UNKNOWN"


def test_missing_models_offline(tmp_path):
    with pytest.raises(inkread.NotFoundError, match="INKREAD_OFFLINE is set, so nothing was fetched") as raised:
        inkread.Engine("tiny", model_folder=tmp_path)
    assert str(tmp_path) in str(raised.value)
    with pytest.raises(inkread.NotFoundError, match="missing"):
        inkread.Engine("tiny", model_folder=tmp_path, fetch=False)
    with pytest.raises(inkread.NotFoundError, match="INKREAD_OFFLINE is set"):
        inkread.fetch_models("tiny", folder=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_missing_models_are_fetched_with_a_word(engine, tmp_path, capsys, monkeypatch):
    # From the user's own folder instead of the network.
    source = next(model.folder for model in inkread.models() if model.size == "tiny")
    monkeypatch.delenv("INKREAD_OFFLINE")
    fetch = _models.fetch_models
    monkeypatch.setattr("inkread._engine.fetch_models", lambda size, folder: fetch(size, folder=folder, source=source))
    reading = inkread.Engine("tiny", backend="cpu", model_folder=tmp_path).read(RECEIPT)
    assert "14:05" in reading.text
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"inkread: fetching the tiny models (6.9 MB) into {tmp_path}")
    assert "MB\n" in said.err.split("\n", 1)[1]  # progress
    inkread.Engine("tiny", backend="cpu", model_folder=tmp_path)
    assert capsys.readouterr().err == ""


def test_a_download_is_interrupted(engine, tmp_path):
    from inkread import _fetch

    source = next(model.folder for model in inkread.models() if model.size == "tiny")

    def interrupt(what, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _fetch.fetch("tiny", str(tmp_path), source, False, interrupt)


def test_the_bar_on_a_terminal(capsys):
    class Terminal:
        written = ""

        def isatty(self):
            return True

        def write(self, text):
            self.written += text

        def flush(self):
            pass

    out = Terminal()
    bar = _models._Bar(out)
    bar("tiny/det.onnx", 500_000, 1_000_000)
    bar("tiny/det.onnx", 1_000_000, 1_000_000)
    assert "[##########..........] 0.5 of 1.0 MB" in out.written
    assert out.written.endswith("[####################] 1.0 of 1.0 MB\n")


def test_an_engine_is_pickled(engine, receipt):
    assert pickle.loads(pickle.dumps(engine)).read(RECEIPT).text == receipt.text


def in_child(engine, queue):
    queue.put(engine.read(RECEIPT).text)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_process_reads(engine, receipt, method):
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(engine, queue))
    child.start()
    assert queue.get(timeout=60) == receipt.text
    child.join(60)
    assert child.exitcode == 0
    assert engine.read(RECEIPT).text == receipt.text  # the parent's engine is as it was


def test_a_pool_of_forked_processes(engine, receipt):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert [reading.text for reading in pool.map(engine.read, [RECEIPT] * 4)] == [receipt.text] * 4


def test_a_child_that_is_forked_during_reads_ends(engine):
    """Also where it drops the engine, whose threads are not there: it must not wait for them."""
    is_done = threading.Event()

    def read_on():
        while not is_done.is_set():
            engine.read(RECEIPT)

    threads = [threading.Thread(target=read_on) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    own = inkread.Engine("tiny", backend="cpu", num_threads=2)
                    code = 0 if "14:05" in own.read(RECEIPT).text and "14:05" in engine.read(RECEIPT).text else 2
                    del own
                finally:
                    os._exit(code)
            assert wait_for(child, 60) == 0
    finally:
        is_done.set()
        for thread in threads:
            thread.join()


def wait_for(child, seconds):
    import signal
    import time

    for _ in range(seconds * 20):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


def test_a_forked_child_of_an_engine_on_a_gpu_gets_an_error(engine, monkeypatch):
    monkeypatch.setattr(engine, "_ran_on", "vulkan")
    child = os.fork()
    if child == 0:
        try:
            engine.read(RECEIPT)
        except inkread.InvalidArgumentError as error:
            os._exit(0 if "before the process was forked" in str(error) else 2)
        finally:
            os._exit(1)
    assert wait_for(child, 30) == 0


def test_a_forked_child_exits_normally(engine):
    """The interpreter ends as usual, which destroys every engine."""
    program = (
        "import inkread, os, sys\n"
        "engine = inkread.Engine('tiny', backend='cpu', num_threads=2)\n"
        f"engine.read({str(RECEIPT)!r})\n"
        "child = os.fork()\n"
        f"engine.read({str(RECEIPT)!r})\n"
        "if child != 0: sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=120, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
