"""The engines that a session can run: inkread and its peers.

A row holds the adapter (adapters/NAME.py), the environment (None: the standard library is enough), what it supports,
its options and a text about its settings. Equal detector settings are those of the profile `pipeline`: longest side
4000 px, shortest 64 px, threshold 0.3, box threshold 0.6, unclip 1.5, 3000 candidates, no dilation, no classifier, no
score limit.
"""
import collections

Peer = collections.namedtuple("Peer", "adapter environment what options settings")

EQUAL = "equal detector settings"
OWN = "its own defaults"

PEERS = {
    "inkread": Peer("inkread", None, ("networks", "images"), {}, "profile pipeline"),
    "inkread-fast": Peer(
        "inkread", None, ("networks", "images"), {"precision": "fast"}, "profile pipeline, 16-bit products"
    ),
    "inkread-official": Peer(
        "inkread", None, ("images",), {"arguments": ["--official"]}, "profile pipeline, official line widths"
    ),
    "onnxruntime": Peer("onnxruntime_networks", "onnxruntime", ("networks",), {}, "all graph optimisations"),
    "openvino": Peer("openvino_networks", "openvino", ("networks",), {"precision": "f32"}, "fixed shape, latency hint"),
    "openvino-default": Peer(
        "openvino_networks", "openvino", ("networks",), {}, "fixed shape, latency hint, its default precision"
    ),
    "reference": Peer("reference_images", "reference", ("images",), {}, EQUAL + "; the official pipeline in Python"),
    "rapidocr-onnxruntime": Peer(
        "rapidocr_images", "rapidocr", ("images",), {"engine": "onnxruntime", "equal": True}, EQUAL
    ),
    "rapidocr-onnxruntime-default": Peer("rapidocr_images", "rapidocr", ("images",), {"engine": "onnxruntime"}, OWN),
    "rapidocr-openvino": Peer("rapidocr_images", "rapidocr", ("images",), {"engine": "openvino", "equal": True}, EQUAL),
    "rapidocr-openvino-f32": Peer(
        "rapidocr_images",
        "rapidocr",
        ("images",),
        {"engine": "openvino", "equal": True, "precision": "f32"},
        EQUAL + ", f32 forced",
    ),
    "rapidocr-openvino-default": Peer("rapidocr_images", "rapidocr", ("images",), {"engine": "openvino"}, OWN),
    "rapidocrlite": Peer("rapidocr_images", "rapidocrlite", ("images",), {"engine": "native", "equal": True}, EQUAL),
    "rapidocrlite-fast": Peer(
        "rapidocr_images",
        "rapidocrlite",
        ("images",),
        {"engine": "native", "equal": True, "fast": True},
        EQUAL + ", its fast_mode",
    ),
    "rapidocrlite-default": Peer("rapidocr_images", "rapidocrlite", ("images",), {"engine": "native"}, OWN),
    "faster-paddle": Peer(
        "faster_paddle_images",
        "faster-paddle",
        ("images",),
        {"equal": True},
        "nearest to equal: sides 0 to 4000, minimum line width 320; thresholds 0.2/0.4, unclip 1.4 fixed",
    ),
    "faster-paddle-default": Peer("faster_paddle_images", "faster-paddle", ("images",), {}, OWN),
}
