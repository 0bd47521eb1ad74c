#!/usr/bin/env python3
"""check_docs.py reports each planted fault and nothing else."""
import pathlib
import tempfile
import unittest

import check_docs


class CheckDocsTest(unittest.TestCase):
    def check(self, readme):
        files = {
            "README.md": readme,
            "docs/a.md": "",
            "dev": "case $verb in\n  read) ;;\n  build|test)\n  [ $1 = --quick ] ;;\nesac\n",
            "apps/main.cc": 'app.add_subcommand("read", "x")->add_flag("--json", "y");\nadd("list", "z");\n',
            "bench/lab/plan.cc": 'app.add_subcommand("plan", "x")->add_option("--shape", "y");',
            "src/image/resize.cc": "",
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_docs.check(pathlib.Path(folder))

    def test_what_exists_passes(self):
        self.assertEqual(
            [],
            self.check(
                "`./dev test --quick`, `inkread read --json x.png`, `inkread list`, "
                "`inkread-lab plan a/b --shape 1x2x3`"
                "\n```\n./dev read x.png | inkread read - --json  # --nothing\n```\n"
                "[a](docs/a.md) [b](https://example.com/x) `src/image/resize.cc` `image/` `image/NAME.cc` "
                "`image/*.cc` `and/or`"
            ),
        )

    def test_what_does_not_exist_is_named_with_its_line(self):
        for text, says in (("`./dev dataset`", "no verb 'dataset'"),
                           ("`./dev test --slow`", "no flag '--slow'"),
                           ("```\ninkread serve\n```", "no subcommand 'serve'"),
                           ("`inkread read --xml a`", "no flag '--xml'"),
                           ("`inkread-lab read x`", "inkread-lab has no subcommand 'read'"),
                           ("`inkread-lab plan --json x`", "inkread-lab has no flag '--json'"),
                           ("`src/image/warp.cc`", "no file or folder 'src/image/warp.cc'"),
                           ("`image/warp.cc`", "no file or folder 'image/warp.cc'"),
                           ("[a](docs/b.md)", "no file 'docs/b.md'")):
            with self.subTest(text=text):
                complaints = self.check("first line\n" + text)
                self.assertEqual(1, len(complaints), complaints)
                self.assertRegex(complaints[0], r"^README\.md:[23]: ")
                self.assertIn(says, complaints[0])

    def test_long_lines_are_named_except_rows_of_tables(self):
        self.assertEqual([], self.check("x" * 120 + "\n| " + "x" * 200 + " |"))
        self.assertEqual(["README.md:2: 121 columns, expected at most 120"], self.check("x\n" + "日" * 121))


if __name__ == "__main__":
    unittest.main()
