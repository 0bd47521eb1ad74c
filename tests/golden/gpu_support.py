"""Shared by the end-to-end tests of GPU backends: choice of the device, Vulkan's validation layer."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import support  # noqa: E402

# Has no effect if the layer is not installed. Its messages go to standard output, where they make a test fail.
VALIDATION = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}


def first_device(backend):
    """A device as --device takes it: the one that INKREAD_TEST_VULKAN_DEVICE names (index or part of the name), else
    the first one of the backend that can be used; None if there is none. `support` must know the command."""
    if backend == "vulkan" and "INKREAD_TEST_VULKAN_DEVICE" in os.environ:
        return os.environ["INKREAD_TEST_VULKAN_DEVICE"]
    blocks = re.split(r"^(?=\S)", support.inkread("devices").out, flags=re.MULTILINE)
    for block in blocks:
        found = re.match(rf"{backend} (\d+) ", block)
        if found and "cannot be used" not in block:
            return found.group(1)
    return None


def skip(reason):
    """Ends the test; ctest reports it as skipped."""
    print(f"skipped: {reason}")
    sys.exit(support.SKIPPED)
