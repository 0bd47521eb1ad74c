"""`inkread doctor`: what it finds, what mends it, and its exit code."""
import os
import shutil
import socket

import support


class DoctorTest(support.Case):

    def doctor(self, *arguments, **env):
        return support.inkread("doctor", *arguments, env={"INKREAD_BACKEND": "auto", **env})

    def test_a_machine_with_models_is_well(self):
        run = self.doctor("--port", str(free_port()))
        self.assertEqual(run.code, 0, run)
        for line in (r"ok       inkread \d", r"ok       .* cores", r"ok       memory: \d+ MB", "ok       models tiny: complete",
                     r"ok       cpu: cpu \w+ read the test image with tiny in \d+ ms", r"ok       port \d+ .* is free"):
            self.assertRegex(run.out, f"(?m)^{line}")
        self.assertNotIn("PROBLEM", run.out)
        self.assertTrue(run.out.endswith("Images can be read.\n"))

    def test_missing_models_are_a_problem(self):
        run = self.doctor("--models", str(self.folder))
        self.assertEqual(run.code, 3, run)
        self.assertIn("PROBLEM  models: no size is complete\n         mend: inkread models fetch small\n", run.out)
        self.assertIn("without models nothing can be read", run.out)
        self.assertTrue(run.out.endswith("1 problem.\n"))

    def test_a_damaged_model_is_a_problem(self):
        shutil.copytree(support.models_folder() / "tiny", self.folder / "tiny")
        path = self.folder / "tiny" / "rec.onnx"
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        run = self.doctor("--models", str(self.folder))
        self.assertEqual(run.code, 3, run)
        self.assertRegex(run.out, r"PROBLEM  models tiny: .*rec.onnx.*\n         mend: inkread models fetch tiny")

    def test_a_port_in_use_and_a_missing_program_are_warnings(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            run = self.doctor("--port", str(server.getsockname()[1]), PATH=os.fspath(self.folder))
        self.assertEqual(run.code, 0, run)
        self.assertRegex(run.out, r"warning  port \d+ .* cannot be used: .*\n         mend: inkread serve --port 0")
        self.assertRegex(run.out, r"warning  pdftoppm is not installed.*\n         mend: apt-get install poppler-utils")

    def test_a_cpu_that_is_forbidden_is_a_problem(self):
        run = self.doctor(INKREAD_DISABLE="nothing")
        self.assertEqual(run.code, 3, run)
        self.assertIn("PROBLEM  cpu", run.out)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


if __name__ == "__main__":
    support.main()
