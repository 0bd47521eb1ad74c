#!/usr/bin/env python3
"""Checks who includes whom: check_layers.py [ROOT]

The rooms of the house are layers; an include may only point to a room named for it below. Tests may look anywhere.
Prints FILE:LINE and the rule for each include that breaks it; exit code 1 then.
"""
import pathlib
import re
import sys

# Room -> the rooms that it may include beside itself and base.
ROOMS = {
    "src/base": (),
    "src/image": (),
    "src/onnx": (),
    "src/graph": ("onnx",),
    "src/schedule": ("image",),
    "src/planner": ("graph", "schedule", "image"),
    "src/backends/reference": ("schedule", "image"),
    "src/backends/cpu": ("schedule", "image"),
    "src/backends/gpu": ("schedule",),
    "src/backends/vulkan": ("backends/gpu", "schedule", "image"),
    "src/backends/metal": ("backends/gpu", "schedule", "image"),
    "src/runtime": ("planner", "graph", "onnx", "schedule", "image"),
    "src/ocr": ("runtime", "image"),
    "src/api": ("ocr", "runtime", "image"),
    "src/codec": ("image",),
    "src/models": (),
    "apps": (),  # public headers and its own
}

# The one file that names backends.
BACKEND_REGISTRY = "src/runtime/backend_registry.cc"

# Public header -> the rooms that may include it. Apps may include all, and public headers one another.
PUBLIC = {
    "inkread/status.h": tuple(ROOMS),
    "inkread/version.h": tuple(ROOMS),
    "inkread/image.h": ("src/image", "src/runtime", "src/ocr", "src/api", "src/codec"),
    "inkread/ocr.h": ("src/runtime", "src/ocr", "src/api"),
    "inkread/codec.h": ("src/codec",),
    "inkread/models.h": ("src/models",),
}

# Third-party headers stay inside the rooms that use them.
THIRD_PARTY = {
    r"hwy/": ("src/image", "src/backends/cpu"),
    r"volk\.h|vulkan/": ("src/backends/vulkan",),
    r"Metal/|Foundation/": ("src/backends/metal",),
    r"protozero/": ("src/onnx",),
    r"yaml-cpp/|curl/|openssl/|zip\.h": ("src/models",),
    r"nlohmann/": ("src/models", "apps"),
    r"jpeglib\.h|jerror\.h|png\.h|webp/|tiff|gif_lib": ("src/codec",),
    r"CLI/|spdlog/|fmt/|utf8proc": ("apps",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
IS_TEST = re.compile(r"_(test|fuzz|bench)\.(cc|h)$")


def room_of(path):
    """The room that a file (or an include path below src/) lies in; None when in none."""
    fits = [room for room in ROOMS if path.startswith(room + "/")]
    return max(fits, key=len) if fits else None


def broken_rule(file, quote, target):
    """The rule that the include of `target` in `file` breaks; None when it is fine."""
    room = room_of(file)
    if target.startswith("inkread/"):
        if room in (None, "apps") or room in PUBLIC.get(target, ()):
            return None
        return f"only {', '.join(PUBLIC.get(target, ())) or 'nobody'} may include {target}"
    for pattern, rooms in THIRD_PARTY.items():
        if re.match(pattern, target):
            return None if room in rooms else f"only {', '.join(rooms)} may include {target}"
    if quote == "<":
        return None
    if room is None:
        return f"a public header includes only inkread/ and the standard library, not {target}"
    if room == "apps":
        return None if target.startswith("apps/") else f"apps includes only include/inkread/ and apps/, not {target}"
    target_room = room_of("src/" + target)
    if target_room is None:
        return f"{target} is in no room; write the path from src/ on"
    if target_room in (room, "src/base"):
        return None
    if target_room.removeprefix("src/") in ROOMS[room]:
        return None
    if target_room.startswith("src/backends/") and target_room != "src/backends/gpu":
        return None if file == BACKEND_REGISTRY else f"only {BACKEND_REGISTRY} may include {target}"
    allowed = ", ".join(("base",) + ROOMS[room])
    return f"{room} may include {allowed}, not {target}"


def check(root):
    """All broken rules below `root`, as printable lines."""
    complaints = []
    for top in ("src", "apps", "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".cc", ".h", ".inc") or IS_TEST.search(path.name):
                continue
            file = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found = INCLUDE.match(line)
                rule = found and broken_rule(file, *found.groups())
                if rule:
                    complaints.append(f"{file}:{number}: {rule}")
    return complaints


if __name__ == "__main__":
    complaints = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent))
    print("\n".join(complaints) if complaints else "every include points downward")
    sys.exit(1 if complaints else 0)
