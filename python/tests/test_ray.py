"""The class for Ray Data, on a Ray of this machine with two actors."""

import json

import pytest
from conftest import RECEIPT

ray = pytest.importorskip("ray", reason="no Ray (docs/ray.md says how this is run)")
pytest.importorskip("ray.data")


def test_a_folder_is_read_by_two_actors(engine, receipt, tmp_path):
    import inkread.ray

    for number in range(6):
        (tmp_path / f"{number}.png").write_bytes(RECEIPT.read_bytes())
    (tmp_path / "damaged.png").write_bytes(b"no image")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        rows = ray.data.read_binary_files(str(tmp_path), include_paths=True).map_batches(
            inkread.ray.Reader,
            fn_constructor_kwargs={"size": "tiny", "column": "bytes", "read": {"words": True}},
            batch_size=2,
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(size=2),
        ).take_all()
    finally:
        ray.shutdown()
    assert len(rows) == 7
    for row in rows:
        if row["path"].endswith("damaged.png"):
            assert row["error"].startswith("CORRUPT_IMAGE: ") and row["text"] == row["json"] == ""
            continue
        assert row["error"] == "" and row["text"] == receipt.text
        page = json.loads(row["json"])
        assert page["file"] == row["path"] and page["lines"][0]["words"]
