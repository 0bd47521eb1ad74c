#!/usr/bin/env python3
"""The commit that --version tells is that of the build: commit_test.py CMAKE"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "cmake" / "commit.cmake"
IDENTITY = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
UNKNOWN = '#define INKREAD_COMMIT "unknown"\n'

_cmake = None


@unittest.skipUnless(shutil.which("git"), "no git here")
class CommitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="inkread_commit_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.header = self.folder / "generated" / "commit.h"

    def git(self, *arguments):
        run = subprocess.run(["git", "-C", str(self.folder), *IDENTITY, *arguments], check=True, capture_output=True,
                             text=True)
        return run.stdout.strip()

    def written(self, source=None):
        subprocess.run([_cmake, f"-DSOURCE={source or self.folder}", f"-DOUTPUT={self.header}", "-P", str(SCRIPT)],
                       check=True)
        return self.header.read_text()

    def test_each_commit_is_seen_and_the_same_one_touches_nothing(self):
        self.git("init", "--quiet")
        self.assertEqual(self.written(), UNKNOWN)
        for subject in ("first", "second"):
            self.git("commit", "--quiet", "--allow-empty", "--message", subject)
            commit = self.git("rev-parse", "--short=10", "HEAD")
            self.assertEqual(self.written(), f'#define INKREAD_COMMIT "{commit}"\n')
            before = self.header.stat().st_mtime_ns
            self.written()
            self.assertEqual(self.header.stat().st_mtime_ns, before)

    def test_without_git_it_is_unknown(self):
        self.assertEqual(self.written(), UNKNOWN)

    def test_the_commit_of_a_tree_around_it_is_not_ours(self):
        self.git("init", "--quiet")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        inner = self.folder / "third_party" / "inkread"
        inner.mkdir(parents=True)
        self.assertEqual(self.written(inner), UNKNOWN)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    _cmake = sys.argv.pop()
    unittest.main(verbosity=2)
