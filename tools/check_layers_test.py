#!/usr/bin/env python3
"""check_layers.py reports each planted violation and nothing else."""
import pathlib
import tempfile
import unittest

import check_layers


class CheckLayersTest(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_layers.check(pathlib.Path(folder))

    def test_downward_includes_pass(self):
        self.assertEqual(
            [],
            self.check(
                {
                    "src/ocr/pipeline.cc": '#include "ocr/pipeline.h"\n#include "runtime/model.h"\n'
                    '#include "base/status.h"\n',
                    "src/runtime/backend_registry.cc": '#include "backends/cpu/cpu_backend.h"\n',
                    "src/backends/vulkan/device.cc": '#include "backends/gpu/dispatch.h"\n',
                    "src/backends/cpu/conv.cc": '#include "hwy/highway.h"\n#include "schedule/steps/conv.h"\n',
                    "src/image/resize_test.cc": '#include "ocr/pipeline.h"\n',
                    "apps/main.cc": '#include <CLI/CLI.hpp>\n#include "apps/read_command.h"\n'
                    '#include "inkread/ocr.h"\n',
                    "python/src/core.cc": '#include <nanobind/nanobind.h>\n#include "inkread/inkread.h"\n'
                    '#include "status_error.h"\n',
                    "include/inkread/ocr.h": '#include <string>\n#include "inkread/status.h"\n',
                }
            ),
        )

    def test_each_planted_violation_is_named_with_file_and_line(self):
        for file, line, says in (
            ("src/image/resize.cc", '#include "ocr/pipeline.h"', "src/image may include base, not ocr/pipeline.h"),
            ("src/graph/graph.h", '#include "schedule/step.h"', "src/graph may include base, onnx, not"),
            ("src/planner/plan.cc", '#include "backends/cpu/cpu_backend.h"', "only src/runtime/backend_registry.cc"),
            ("src/backends/cpu/conv.cc", '#include "backends/gpu/dispatch.h"', "src/backends/cpu may include"),
            ("src/runtime/backend_registry.cc", '#include "backends/gpu/dispatch.h"', "src/runtime may include"),
            (
                "src/backends/cpu/conv.cc",
                '#include "backends/reference/conv.h"',
                "only src/runtime/backend_registry.cc",
            ),
            ("src/base/log.cc", '#include "inkread/ocr.h"', "may include inkread/ocr.h"),
            ("src/graph/import.cc", "#include <protozero/pbf_reader.hpp>", "only src/onnx may include protozero/"),
            ("src/ocr/ctc.cc", "#include <utf8proc.h>", "only src/formats, apps may include utf8proc"),
            ("src/ocr/det.cc", '#include "det.h"', "write the path from src/ on"),
            ("apps/main.cc", '#include "base/status.h"', "apps includes only include/inkread/ and apps/"),
            ("python/src/core.cc", '#include "base/status.h"', "python includes only include/inkread/ and its own"),
            ("src/api/engine.cc", '#include "inkread/inkread.h"', "only src/c_api may include"),
            ("include/inkread/ocr.h", '#include "base/status.h"', "a public header includes only inkread/"),
        ):
            with self.subTest(file=file):
                complaints = self.check({file: "// what it is for\n" + line + "\n"})
                self.assertEqual(1, len(complaints), complaints)
                self.assertTrue(complaints[0].startswith(f"{file}:2: "), complaints)
                self.assertIn(says, complaints[0])


if __name__ == "__main__":
    unittest.main()
