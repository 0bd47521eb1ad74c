#!/usr/bin/env python3
"""Checks who includes whom: check_layers.py [ROOT]

The modules (source folders) are layers: a file may include only from the modules that the tables below allow. Tests
may include anything. Prints FILE:LINE and the rule for each include that breaks one; the exit code is then 1.
"""
import pathlib
import re
import sys

# Module -> the modules that it may include besides itself and base.
MODULES = {
    "src/base": (),
    "src/image": (),
    "src/onnx": (),
    "src/graph": ("onnx",),
    "src/schedule": ("image",),
    "src/planner": ("graph", "schedule", "image"),
    "src/backends/reference": ("schedule", "image"),
    "src/backends/cpu": ("schedule", "image"),
    "src/backends/gpu": ("schedule",),
    "src/runtime": ("planner", "graph", "onnx", "schedule", "image"),
    "src/ocr": ("runtime", "image"),
    "src/api": ("ocr", "runtime", "image"),
    "src/codec": ("image",),
    "src/c_api": (),
    "src/document": ("image",),
    "src/formats": (),
    "src/models": (),
    "src/server": (),
    "apps": (),  # public headers and apps/ only
    "python": (),  # public headers and python/ only
}

# What every other folder of src/backends may include.
BACKEND = ("backends/gpu", "schedule", "image")

# What apps may include besides: the result files of `inkread bench` have parts in common with the JSON of readings.
APPS_MAY_INCLUDE = ("apps/", "formats/reading_json.h")

# The one file that names backends.
BACKEND_REGISTRY = "src/runtime/backend_registry.cc"

# Public header -> the modules that may include it; None: all. Apps and public headers may include all of them.
PUBLIC = {
    "inkread/status.h": None,
    "inkread/version.h": None,
    "inkread/image.h": ("src/image", "src/runtime", "src/ocr", "src/api", "src/codec", "src/document", "src/formats", "src/c_api",
                        "src/server"),
    "inkread/ocr.h": ("src/runtime", "src/ocr", "src/api", "src/formats", "src/c_api", "src/server"),
    "inkread/codec.h": ("src/codec", "src/document", "src/formats", "src/c_api", "src/server"),
    "inkread/document.h": ("src/document", "src/server"),
    "inkread/formats.h": ("src/formats", "src/server"),
    "inkread/server.h": ("src/server",),
    "inkread/inkread.h": ("src/c_api",),
    "inkread/models.h": ("src/models",),
}

# Pattern of third-party headers -> the modules that may include them.
THIRD_PARTY = {
    r"hwy/": ("src/image", "src/backends/cpu"),
    r"vulkan/": ("src/backends/vulkan",),
    r"Metal/|Foundation/": ("src/backends/metal",),
    r"protozero/": ("src/onnx",),
    r"yaml-cpp/|curl/|openssl/|zip\.h": ("src/models",),
    r"nlohmann/": ("src/models", "src/formats", "src/server", "apps"),
    r"boost/": ("src/server",),
    r"jpeglib\.h|jerror\.h|png\.h|webp/|tiff|gif_lib|openjpeg\.h": ("src/codec",),
    r"CLI/|spdlog/|fmt/": ("apps",),
    r"qpdf/": ("src/formats", "src/document"),
    r"utf8proc": ("src/formats", "apps"),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
IS_TEST = re.compile(r"_(test|fuzz|bench)\.(cc|h)$")


def module_of(path):
    """The module of a file, named by its path from the root; None if it is in none."""
    if backend := re.match(r"src/backends/\w+(?=/)", path):
        return backend.group()
    fits = [module for module in MODULES if path.startswith(module + "/")]
    return max(fits, key=len) if fits else None


def broken_rule(file, quote, target):
    """The rule that the include of `target` in `file` breaks; None if it breaks none."""
    module = module_of(file)
    if target.startswith("inkread/"):
        modules = PUBLIC.get(target, ())
        if module in (None, "apps", "python") or modules is None or module in modules:
            return None
        return f"only {', '.join(modules) or 'nobody'} may include {target}"
    for pattern, modules in THIRD_PARTY.items():
        if re.match(pattern, target):
            return None if module in modules else f"only {', '.join(modules)} may include {target}"
    if quote == "<":
        return None
    if module is None:
        return f"a public header includes only inkread/ and the standard library, not {target}"
    if module == "apps":
        return None if target.startswith(APPS_MAY_INCLUDE) else f"apps includes only include/inkread/ and apps/, not {target}"
    if module == "python":
        return None if "/" not in target else f"python includes only include/inkread/ and its own folder, not {target}"
    target_module = module_of("src/" + target)
    if target_module is None:
        return f"{target} is in no module; write the path from src/ on"
    if target_module in (module, "src/base"):
        return None
    may_include = MODULES.get(module, BACKEND)
    if target_module.removeprefix("src/") in may_include:
        return None
    if target_module.startswith("src/backends/") and target_module != "src/backends/gpu":
        return None if file == BACKEND_REGISTRY else f"only {BACKEND_REGISTRY} may include {target}"
    allowed = ", ".join(("base",) + may_include)
    return f"{module} may include {allowed}, not {target}"


def check(root):
    """Every broken rule below `root`, as a list of printable lines."""
    complaints = []
    for top in ("src", "apps", "include", "python"):
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
