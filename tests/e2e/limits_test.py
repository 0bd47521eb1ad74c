"""The command under limits on memory and on processes: it reads, or ends with a message and an exit code of its own."""
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

import support

NOBODY = 65534
ERRORS = (1, 3)
# MiB of address space, from too little for the program to what is enough.
MEMORY_LIMITS = [*range(24, 200, 8), *range(208, 480, 32), 1024]


def run_limited(*arguments, limits, user=None):
    """Runs the command with (RLIMIT_X, value) set in its process."""

    def limit():
        for which, value in limits:
            resource.setrlimit(which, (value, value))
        if user is not None:
            os.setuid(user)

    run = subprocess.run([support.command(), *arguments], capture_output=True, preexec_fn=limit,
                         timeout=support.TIMEOUT_S)
    return support.Finished(run.returncode, run.stdout.decode(), run.stderr.decode(errors="replace"))


class LimitsTest(support.Case):

    def setUp(self):
        super().setUp()
        self.image = support.ROOT / "samples" / "receipt.png"
        self.arguments = ["read", "--size", "tiny", "--backend", "cpu", "--threads", "4", os.fsdecode(self.image)]
        expected = support.inkread(*self.arguments)
        self.assertEqual(expected.code, 0, expected)
        self.expected = expected.out

    def check(self, run, what):
        if run.code == 0:
            self.assertEqual(run.out, self.expected, f"{what}: {run}")
            return
        self.assertIn(run.code, ERRORS, f"{what}: {run}")
        self.assertRegex(run.err, r"(?m)^inkread: ", f"{what}: {run}")
        for word in ("internal error", "terminate", "Fatal"):
            self.assertNotIn(word, run.err, f"{what}: {run}")

    def test_a_limit_on_memory_ends_a_run_with_a_message(self):
        codes = []
        for mib in MEMORY_LIMITS:
            limits = [(resource.RLIMIT_AS, mib << 20), (resource.RLIMIT_CORE, 0)]
            if run_limited("--version", limits=limits).code != 0:
                continue  # too little for the loader
            run = run_limited(*self.arguments, limits=limits)
            self.check(run, f"{mib} MiB")
            codes.append(run.code)
        self.assertIn(0, codes)
        self.assertTrue(set(codes) & set(ERRORS), codes)

    def test_a_limit_on_sizes_of_files_is_an_error_and_the_old_file_stays(self):
        target = self.put("out.txt", b"old")
        overlay = self.folder / "overlay.png"
        for size in (0, 1, 20):
            limits = [(resource.RLIMIT_FSIZE, size)]
            run = run_limited(*self.arguments, "--out", str(target), limits=limits)
            self.assertEqual((run.code, target.read_bytes()), (1, b"old"), run)
            self.assertIn("could not be written completely", run.err)
            run = run_limited(*self.arguments, "--overlay", str(overlay), limits=limits)
            self.assertEqual((run.code, run.out, overlay.exists()), (1, self.expected, False), run)

    def test_few_file_descriptors_are_enough(self):
        for most in (8, 12):
            run = run_limited(*self.arguments, limits=[(resource.RLIMIT_NOFILE, most)])
            self.assertEqual((run.code, run.out), (0, self.expected), run)

    def test_no_driver_is_loaded_into_little_address_space(self):
        run = run_limited("devices", limits=[(resource.RLIMIT_AS, 512 << 20)])
        self.assertEqual(run.code, 0, run)
        if "vulkan" in support.backends():
            self.assertIn("the address space is limited to 512 MiB", run.out)

    def test_a_limit_on_processes_means_fewer_threads(self):
        folder = tempfile.mkdtemp(prefix="inkread_e2e_")
        self.addCleanup(shutil.rmtree, folder)
        # Root is not held to this limit, so root becomes a user that can read these copies.
        user = NOBODY if os.geteuid() == 0 else None
        models = pathlib.Path(folder) / "models"
        shutil.copytree(support.models_folder() / "tiny", models)
        image = shutil.copy(self.image, folder)
        os.chmod(folder, 0o755)
        arguments = ["read", "--size", "tiny", "--backend", "cpu", "--threads", "4", "--models", os.fsdecode(models),
                     image]
        try:
            run_limited("--version", limits=[], user=user)
        except (PermissionError, subprocess.SubprocessError) as error:
            self.skipTest(f"cannot run the command as another user: {error}")
        for most in (1, 2, 3):
            run = run_limited(*arguments, limits=[(resource.RLIMIT_NPROC, most)], user=user)
            self.assertEqual(run.code, 0, run)
            self.assertEqual(run.out, self.expected)


if __name__ == "__main__":
    support.main()
