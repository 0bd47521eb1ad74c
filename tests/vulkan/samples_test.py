#!/usr/bin/env python3
"""The project's own images, read on a Vulkan device as on the CPU: samples_test.py INKREAD

The device is INKREAD_TEST_VULKAN_DEVICE (index or part of the name), else the first that can be used.
Exits with 77, which ctest shows as skipped, without a device or without models.
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from gpu_support import VALIDATION, first_device, skip, support  # noqa: E402
from support import SAMPLES, Case, inkread, read  # noqa: E402

SCORE_LIMIT = 1e-3  # in f32


class VulkanSamplesTest(Case):
    def on_gpu(self, *arguments, **options):
        return read("--backend", "vulkan", "--device", first_device("vulkan"), "--strict", *arguments, **options)

    def check_reads_as_the_cpu(self, size, precision, samples):
        """Texts; in f32 scores and words too. In f16 a box can move by a pixel, and then its score moves too."""
        if not support.has_models(size):
            self.skipTest(f"no models at {support.models_folder() / size}")
        images = [str(image) for image in samples]
        asked = ("--json", "--words")
        cpu = read("--backend", "cpu", *asked, *images, size=size).json()["images"]
        finished = self.on_gpu(*asked, "--precision", precision, *images, size=size, env=VALIDATION)
        self.assertEqual((finished.code, finished.err), (0, ""), finished)
        gpu = self.check_document(finished.json(), size, precisions=(precision,), parts=("words",))
        self.assertEqual([entry["backend"] for entry in gpu], ["vulkan"] * len(samples))
        for ours, theirs in zip(gpu, cpu):
            with self.subTest(image=ours["file"]):
                self.assertEqual([line["text"] for line in ours["lines"]], [line["text"] for line in theirs["lines"]])
                for a, b in zip(ours["lines"], theirs["lines"]) if precision == "precise" else ():
                    self.assertAlmostEqual(a["score"], b["score"], delta=SCORE_LIMIT)
                    self.assertAlmostEqual(a["det_score"], b["det_score"], delta=SCORE_LIMIT)
                    self.assertEqual([(word["text"], word["quad"]) for word in a["words"]],
                                     [(word["text"], word["quad"]) for word in b["words"]])

    def test_tiny_reads_as_the_cpu(self):
        self.check_reads_as_the_cpu("tiny", "precise", SAMPLES[:1])
        self.check_reads_as_the_cpu("tiny", "fast", SAMPLES)

    def test_small_reads_as_the_cpu(self):
        if "INKREAD_TEST_VULKAN_DEVICE" not in os.environ:
            self.skipTest("only on a device that is asked for: a software driver takes minutes")
        for precision in ("precise", "fast"):
            self.check_reads_as_the_cpu("small", precision, SAMPLES)

    def test_a_device_that_is_not_there_is_told_and_the_cpu_reads(self):
        image = str(SAMPLES[0])
        expected = read(image).out
        finished = read("--backend", "vulkan", "--device", "abacus", image)
        self.assertEqual((finished.code, finished.out), (0, expected), finished)
        self.assertIn("abacus", finished.err)
        strict = read("--backend", "vulkan", "--device", "abacus", "--strict", image)
        self.assertEqual(strict.code, 3, strict)

    def test_without_a_driver_vulkan_is_missing_and_nothing_else(self):
        none = {"VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"}
        listed = inkread("devices", env=none)
        self.assertEqual(listed.code, 0, listed)
        self.assertIn("cpu", listed.out)
        self.assertRegex(listed.out, r"vulkan +Vulkan: ")
        self.assertEqual(read(str(SAMPLES[0]), env=none).out, read(str(SAMPLES[0])).out)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    support._command = os.path.abspath(sys.argv[1])
    support.TIMEOUT_S = 850  # a software driver beside other tests
    if first_device("vulkan") is None:
        skip("there is no Vulkan device on this machine")
    support.main()
