#!/usr/bin/env python3
"""Fills the PP-OCRv6 medium graphs in this folder, which have no weights, with seeded random weights.

    python3 fill.py OUT_DIR      # needs ../requirements.txt

The official medium weights (138 MB) are not available on the build machines. These graphs have the official
architecture, layer for layer (det 15.65 M and rec 19.11 M parameters), so speed, memory and numeric agreement with
other engines can be measured. They cannot read text. Each weight tensor is normal with variance 1 / fan-in, drawn from
PCG64 seeded with the CRC-32 of its name.
"""
import pathlib, sys, zlib
import numpy as np, onnx
from onnx import numpy_helper

def fill(src: pathlib.Path, dst: pathlib.Path) -> None:
    model = onnx.load(src)
    for t in model.graph.initializer:
        if t.data_location or t.raw_data or not t.dims or t.doc_string != "random":
            continue
        dims = list(t.dims)
        fan_in = int(np.prod(dims[1:])) if len(dims) == 4 else dims[0]
        rng = np.random.Generator(np.random.PCG64(zlib.crc32(t.name.encode())))
        w = rng.standard_normal(dims, dtype=np.float32) * np.float32((1.0 / fan_in) ** 0.5)
        name = t.name
        t.CopyFrom(numpy_helper.from_array(w.astype(np.float32), name))
    onnx.checker.check_model(model)
    onnx.save(model, dst)

if __name__ == "__main__":
    here, out = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for kind in ("det", "rec"):
        fill(here / f"{kind}.skeleton.onnx", out / f"{kind}.onnx")
        print(out / f"{kind}.onnx")
