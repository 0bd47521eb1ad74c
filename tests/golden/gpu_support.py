"""What the end-to-end tests of GPU backends share: which device, and the validation layer over Vulkan."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import support  # noqa: E402

# Where the layer is not installed nothing happens. It writes to standard output, where a test expects something else.
VALIDATION = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}


def first_device(backend):
    """The device that INKREAD_TEST_VULKAN_DEVICE names (index or part of the name), else the backend's first that can be
    used, as --device takes it; None without any. `support` must know the command."""
    if backend == "vulkan" and "INKREAD_TEST_VULKAN_DEVICE" in os.environ:
        return os.environ["INKREAD_TEST_VULKAN_DEVICE"]
    blocks = re.split(r"^(?=\S)", support.inkread("devices").out, flags=re.MULTILINE)
    for block in blocks:
        found = re.match(rf"{backend} (\d+) ", block)
        if found and "cannot be used" not in block:
            return found.group(1)
    return None


def skip(reason):
    """Ends the test as ctest's skipped one."""
    print(f"skipped: {reason}")
    sys.exit(support.SKIPPED)
