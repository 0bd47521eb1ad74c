#!/usr/bin/env python3
"""What the command says about itself, and whether docs/cli.md says the same: cli_test.py INKREAD

Needs no models.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")

command = None
OF_OTHERS = {("tesseract",), ("paddleocr-json",)}  # whose options are those of other programs


def inkread(*arguments):
    return subprocess.run([command, *arguments], check=True, capture_output=True, text=True, timeout=60).stdout


def options_of_help(text):
    """ "--size tiny|small|medium" and so on, without --help, which every command has."""
    found = re.findall(r"^  (-[^\n]*?)(?:  .*)?$", text, re.M)
    return {re.sub(r"^-\w,", "", name.strip()) for name in found} - {"--help"}


def commands_of_help(text):
    below = re.search(r"^Subcommands:\n((?:  .*\n)*)", text, re.M)
    return re.findall(r"^  ([\w-]+)", below.group(1), re.M) if below else []


def all_commands(*above):
    for name in commands_of_help(inkread(*above, "--help")):
        yield (*above, name)
        yield from all_commands(*above, name)


def sections():
    """The text below each heading `inkread ...` of the page, by the command."""
    parts = re.split(r"^##+ `inkread ?([\w -]*?)`.*$", PAGE, flags=re.M)
    return {tuple(parts[i].split()): re.split(r"^##+ ", parts[i + 1], flags=re.M)[0] for i in range(1, len(parts), 2)}


class CliTest(unittest.TestCase):
    def test_the_page_has_every_command_and_no_other(self):
        self.assertEqual(sorted(sections()), sorted([*all_commands()]))

    def test_the_page_has_the_options_and_values_of_every_command(self):
        read = options_of_help(inkread("read", "--help"))
        for words, text in sections().items():
            if words in OF_OTHERS:
                continue
            with self.subTest(words):
                named = {name.replace("\\|", "|") for name in re.findall(r"^\| `(--[^`]+)`", text, re.M)}
                options = options_of_help(inkread(*words, "--help"))
                # Those that bench has in common with read are described there.
                self.assertEqual(named, options - read if words == ("bench",) else options)

    def test_the_page_has_the_exit_codes_and_variables_of_the_manual(self):
        page = inkread("manual").replace("\\-", "-")
        for section, heading in (("EXIT STATUS", "Exit codes"), ("ENVIRONMENT", "Environment")):
            with self.subTest(heading):
                entries = re.search(rf'^\.SH "?{section}"?\n(.*?)^\.SH', page, re.M | re.S).group(1)
                terms = re.findall(r"^\.TP\n\\fB(.*)\\fR$", entries, re.M)
                table = re.search(rf"^## {heading}$(.*?)(?:^## |\Z)", PAGE, re.M | re.S).group(1)
                rows = [cell.replace("`", "") for cell in re.findall(r"^\| (`[^|]*?) \|", table, re.M)]
                self.assertEqual(rows, terms)

    def test_the_manual_has_every_option(self):
        page = inkread("manual").replace("\\-", "-")
        for words in all_commands():
            self.assertIn(f'.SS "{" ".join(words)} ', page)
            if words in OF_OTHERS:
                continue
            for option in options_of_help(inkread(*words, "--help")):
                self.assertIn(f"\\fB{option}\\fR\n", page)
        if shutil.which("man") is None:
            self.skipTest("the page was not formatted: no man here")
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(inkread("manual"))
            file.flush()
            done = subprocess.run(["man", "--warnings", "-l", file.name], capture_output=True, text=True, timeout=60,
                                  env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANPAGER": "cat"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def complete_in_bash(self, *words):
        script = (f"{inkread('completion', 'bash')}\ncompopt() {{ :; }}\nCOMP_WORDS=(inkread \"$@\"); COMP_CWORD=$#\n"
                  "_inkread; printf '%s\\n' \"${COMPREPLY[@]}\"")
        run = subprocess.run(["bash", "-c", script, "bash", *words], cwd=ROOT, check=True, capture_output=True, text=True)
        return sorted(run.stdout.split())

    def complete_in_fish(self, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".fish") as file:
            file.write(inkread("completion", "fish"))
            file.flush()
            run = subprocess.run(["fish", "--no-config", "-c", f"source {file.name}; complete -C 'inkread {' '.join(words)}'"],
                                 cwd=ROOT, check=True, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
        return sorted(line.split("\t")[0] for line in run.stdout.splitlines())

    def check_completions(self, complete):
        top = sorted(commands_of_help(inkread("--help")))
        self.assertEqual(complete(""), top)
        self.assertEqual(complete("re"), ["read"])
        self.assertEqual(complete("models", "f"), ["fetch"])
        self.assertEqual(complete("read", "--size", ""), ["medium", "small", "tiny"])
        self.assertEqual(complete("models", "fetch", "--origin", "p"), ["pypi"])
        self.assertEqual(complete("models", "fetch", "t"), ["tiny"])
        self.assertEqual(complete("read", "--js"), ["--json", "--jsonl"])
        self.assertEqual([path.rstrip("/") for path in complete("read", "sampl")], ["samples"])
        self.assertEqual([path.rstrip("/") for path in complete("read", "--models", "sampl")], ["samples"])

    def test_bash_completes(self):
        self.check_completions(self.complete_in_bash)

    @unittest.skipIf(shutil.which("fish") is None, "no fish here")
    def test_fish_completes(self):
        self.check_completions(self.complete_in_fish)

    @unittest.skipIf(shutil.which("zsh") is None, "no zsh here")
    def test_zsh_completes(self):
        """In a terminal of its own, since zsh completes nowhere else; what it inserts is read off."""
        script = r"""
zmodload zsh/zpty
zpty -b shell 'zsh -f -i'
say() { zpty -w shell "$1"; }
say "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -D; fpath=(); source '$1'; echo re''ady"
zpty -r -m shell line '*ready*'
for line in 'inkread mod' 'inkread models fetch --ori' 'inkread read --size med'; do
  zpty -n -w shell "$line"$'\t'
  sleep 0.5
  zpty -n -w shell $'\C-a: \C-e end\n'
  zpty -r -m shell answer '*end*'
  print -r -- "$answer"
done
"""
        with tempfile.NamedTemporaryFile("w", suffix=".zsh") as file:
            file.write(inkread("completion", "zsh"))
            file.flush()
            run = subprocess.run(["zsh", "-f", "-c", script, "zsh", file.name], cwd=ROOT, capture_output=True, text=True,
                                 timeout=60)
        said = re.sub(r"\x1b\[[0-9;?]*\w|[\r\b]", "", run.stdout)
        for whole in ("inkread models", "inkread models fetch --origin", "inkread read --size medium"):
            self.assertIn(whole, said, run)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    command = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
