#!/usr/bin/env python3
"""Models that are damaged, of another network or not there: bad_models_test.py INKREAD

Exit code 3, before any image is read, and a message that names the file and the reason.
"""
import os
import shutil

import support
from support import Case, inkread, read, sample


def message(number, content):
    """A field of a protobuf message that holds bytes."""
    return bytes([number << 3 | 2, len(content)]) + content


def external_network(location):
    """A network whose only weight is in another file: data_location stands behind external_data, as exporters write."""
    entry = message(1, b"location") + message(2, location.encode())
    tensor = b"\x08\x01\x10\x01" + message(8, b"w") + message(13, entry) + b"\x70\x01"
    shape = message(2, message(1, b"\x08\x01") * 2)
    value = message(2, message(1, b"\x08\x01" + shape))
    node = message(1, b"x") + message(1, b"w") + message(2, b"y") + message(4, b"Add")
    graph = message(1, node) + message(5, tensor) + message(11, message(1, b"x") + value)
    return b"\x08\x07" + message(7, graph + message(12, message(1, b"y") + value)) + message(8, b"\x10\x0d")


class BadModelsTest(Case):
    def setUp(self):
        super().setUp()
        self.tiny = self.folder / "models" / "tiny"
        shutil.copytree(support.models_folder() / "tiny", self.tiny)
        self.image = str(self.put("a.png", sample("vertical")))

    def read(self, *arguments):
        return read("--models", str(self.folder / "models"), *arguments, self.image)

    def command(self, verb):
        """The remedy that messages name."""
        return f"`inkread models {verb} tiny --models {self.folder / 'models'}`"

    def check_refused(self, name, *says, arguments=()):
        finished = self.read(*arguments)
        self.assertEqual((finished.code, finished.out), (3, ""), finished)
        self.assertEqual(len(finished.err.splitlines()), 1, finished)
        for part in (f"inkread: {self.tiny / name}", *says):
            self.assertIn(part, finished.err)

    def without_settings(self):
        """Nothing then tells lengths, so that the file itself must be found bad."""
        (self.tiny / "settings.txt").unlink()

    def test_the_copy_itself_reads_and_also_from_its_own_folder_and_the_environment(self):
        for finished in (self.read(), read("--models", str(self.tiny), self.image),
                         read(self.image, env={"INKREAD_MODELS": str(self.folder / "models")})):
            self.assertEqual((finished.code, len(finished.out.splitlines())), (0, 3), finished)

    def test_one_rule_says_where_models_are(self):
        """--models and INKREAD_MODELS name the folder of all sizes or the one of a size."""
        for folder in (self.folder / "models", self.tiny):
            for finished in (read("--models", str(folder), self.image),
                             read(self.image, env={"INKREAD_MODELS": str(folder)}),
                             inkread("models", "verify", "tiny", "--models", str(folder)),
                             inkread("models", "verify", "tiny", env={"INKREAD_MODELS": str(folder)})):
                with self.subTest(folder):
                    self.assertEqual(finished.code, 0, finished)

    def test_another_size_than_asked_for_is_noticed(self):
        finished = read("--models", str(self.tiny), self.image, size="small")
        self.assertEqual((finished.code, finished.out), (3, ""), finished)
        self.assertEqual(finished.err, f"inkread: {self.tiny}: holds the models of size tiny, expected small\n")

    def test_fetching_another_size_spares_the_folder_of_one(self):
        before = {path.name: path.read_bytes() for path in self.tiny.iterdir()}
        inkread("models", "fetch", "small", "--from", str(self.folder / "nowhere"), "--models", str(self.tiny))
        after = {path.name: path.read_bytes() for path in self.tiny.iterdir() if path.is_file()}
        self.assertEqual({name: after.get(name) for name in before}, before)

    def test_a_cut_network_is_refused_by_its_length(self):
        for name in ("det.onnx", "rec.onnx"):
            with self.subTest(name):
                path = self.tiny / name
                whole = path.read_bytes()
                path.write_bytes(whole[:len(whole) // 2])
                self.check_refused(name, f"expected {len(whole)} bytes, found {len(whole) // 2}",
                                   self.command("verify"), self.command("fetch"))
                path.write_bytes(whole)

    def test_a_cut_network_is_refused_without_settings_too(self):
        self.without_settings()
        for name in ("det.onnx", "rec.onnx"):
            path = self.tiny / name
            whole = path.read_bytes()
            for kept in (0, 1, 100, len(whole) // 3, len(whole) - 1):
                with self.subTest(name, kept=kept):
                    path.write_bytes(whole[:kept])
                    self.check_refused(name)
            path.write_bytes(whole)

    def test_bytes_that_are_no_network_are_refused(self):
        self.without_settings()
        for content in (b"no network", sample("vertical"), b"\0" * 4096, b"\xff" * 4096):
            with self.subTest(content[:8]):
                self.put("models/tiny/det.onnx", content)
                self.check_refused("det.onnx", self.command("verify"))

    def test_another_network_is_refused_by_its_output(self):
        self.without_settings()
        networks = {name: (self.tiny / f"{name}.onnx").read_bytes() for name in ("det", "rec", "cls")}
        for name, other, says in (("det", "rec", "not a detector"), ("det", "cls", "not a detector"),
                                  ("rec", "det", "not a recogniser"), ("rec", "cls", "not a recogniser"),
                                  ("cls", "det", "not a line classifier"), ("cls", "rec", "not a line classifier")):
            with self.subTest(name, other=other):
                path = self.tiny / f"{name}.onnx"
                path.write_bytes(networks[other])
                self.check_refused(path.name, says, arguments=["--cls"])
                path.write_bytes(networks[name])

    def test_weights_in_another_file_are_named(self):
        self.without_settings()
        self.put("models/tiny/det.onnx", external_network("weights.bin"))
        self.check_refused("det.onnx", "tensor 'w'", "in another file, 'weights.bin'")

    def test_neither_a_pipe_nor_an_endless_file_holds_up_the_start(self):
        self.without_settings()
        for name in ("settings.txt", "det.onnx", "rec.onnx", "dictionary.txt"):
            path = self.tiny / name
            content = path.read_bytes() if path.exists() else None
            for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path), self.put_sparse):
                with self.subTest(name, make=make):
                    path.unlink(missing_ok=True)
                    make(path)
                    self.check_refused(name)
            path.unlink()
            if content is not None:
                path.write_bytes(content)

    def put_sparse(self, path):
        path.write_bytes(b"x")
        os.truncate(path, 3 << 30)

    def test_a_dictionary_that_does_not_fit_is_refused(self):
        self.without_settings()
        path = self.tiny / "dictionary.txt"
        entries = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for content in ("".join(entries[:-1]), "".join(entries) + "x\ny\n", "", "x\n" * 3):
            with self.subTest(len(content)):
                path.write_text(content, encoding="utf-8")
                self.check_refused("dictionary.txt", "entries" if content else "")

    def test_how_an_editor_ends_lines_does_not_matter(self):
        self.without_settings()
        image = str(self.put("b.png", sample("receipt")))
        expected = read("--models", str(self.folder / "models"), image).out
        path = self.tiny / "dictionary.txt"
        content = path.read_bytes()
        for changed in (b"\xef\xbb\xbf" + content, content.replace(b"\n", b"\r\n"), content.replace(b"\n", b"\r")):
            path.write_bytes(changed)
            finished = read("--models", str(self.folder / "models"), image)
            self.assertEqual((finished.code, finished.out), (0, expected), finished)

    def test_damaged_settings_are_refused(self):
        good = (self.tiny / "settings.txt").read_text()
        for content in ("nonsense\n", good.replace("det_thresh ", "det_thresh x"), good[:len(good) // 2]):
            with self.subTest(content[:40]):
                self.put("models/tiny/settings.txt", content.encode())
                self.check_refused("settings.txt", self.command("verify"))

    def test_a_missing_file_is_named_with_the_command_that_fetches_it(self):
        for name in ("det.onnx", "rec.onnx", "dictionary.txt"):
            with self.subTest(name):
                path = self.tiny / name
                content = path.read_bytes()
                path.unlink()
                self.check_refused(name, "missing", self.command("fetch"))
                path.write_bytes(content)

    def test_the_classifier_is_needed_only_where_it_is_asked_for(self):
        (self.tiny / "cls.onnx").unlink()
        self.check_refused("cls.onnx", "missing", arguments=["--cls"])
        self.assertEqual(self.read().code, 0)

    def test_verify_names_what_is_damaged_or_missing(self):
        folder = str(self.folder / "models")
        self.assertEqual(inkread("models", "verify", "tiny", "--models", folder).code, 0)
        content = bytearray((self.tiny / "det.onnx").read_bytes())
        content[1000] ^= 1
        self.put("models/tiny/det.onnx", bytes(content))
        (self.tiny / "cls.onnx").unlink()
        finished = inkread("models", "verify", "tiny", "--models", folder)
        self.assertEqual(finished.code, 3, finished)
        self.assertIn(f"{self.tiny / 'det.onnx'}: expected SHA-256 ", finished.err)
        self.assertIn(f"{self.tiny / 'cls.onnx'}: not there", finished.err)

    def test_fetch_from_a_folder_mends_what_is_damaged(self):
        self.put("models/tiny/rec.onnx", b"no network")
        finished = inkread("models", "fetch", "tiny", "--from", str(support.models_folder()), "--models",
                           str(self.folder / "models"))
        self.assertEqual(finished.code, 0, finished)
        self.assertEqual(self.read().code, 0)


if __name__ == "__main__":
    support.main()
