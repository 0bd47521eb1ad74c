#!/usr/bin/env python3
"""Checks the Markdown files of ROOT and of docs/: check_docs.py [ROOT]

In code spans, code blocks and links it reports
  ./dev VERB             if VERB is not a case of the script `dev`
  inkread SUB [...]      if no add_subcommand() in apps/ names SUB, or no string in apps/ names a --flag
  inkread-lab SUB [...]  the same for the sources in bench/lab/
  some/path              if it is below a folder of the project (or of src/) and does not exist
  [text](path)           if the path does not exist
It does not check placeholders: names in capitals (NAME), globs and braces.
It also reports lines of more than 120 columns, except rows of tables.
"""
import pathlib
import re
import sys

MAX_COLUMNS = 120


def code_pieces(text):
    """(line number, code) of each code span and each line of a code block."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        elif in_block:
            yield number, line
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span


def command_names(folder):
    """Subcommands and flags of the command whose sources are in `folder`."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.cc"))
                        if not path.name.endswith("_test.cc"))
    literals = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', sources))
    # models_command.cc adds its subcommands through a helper: add("list", ...).
    subcommands = set(re.findall(r'\badd(?:_subcommand)?\("([a-z-]+)"', sources))
    return subcommands, set(re.findall(r"--[a-z][a-z0-9-]*", literals)) | {"--help"}


def known_names(root):
    """Verbs and flags of ./dev, and command_names of each command."""
    dev = (root / "dev").read_text(encoding="utf-8")
    verbs = {verb for labels in re.findall(r"^ *([a-z|]+)\)", dev, re.M) for verb in labels.split("|")}
    dev_flags = set(re.findall(r"--[a-z][a-z0-9-]*", dev))
    commands = {"inkread": command_names(root / "apps"), "inkread-lab": command_names(root / "bench/lab")}
    return verbs, dev_flags, commands


def check_command(code, names):
    verbs, dev_flags, commands = names
    for verb, rest in re.findall(r"(?:^|[\s(])\./dev ([a-z]+)([^|;&#]*)", code):
        if verb not in verbs:
            yield f"./dev has no verb '{verb}'"
        for flag in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", rest):
            if flag not in dev_flags | commands["inkread"][1]:
                yield f"./dev has no flag '{flag}'"
    for name, (subcommands, flags) in commands.items():
        for rest in re.findall(r"(?:^|[|;&(])\s*(?:\$ )?(?:[\w./~-]*/)?" + name + r" ((?:[a-z]+|--)[^|;&#]*)", code):
            word = rest.split()[0]
            if not word.startswith("--") and word not in subcommands:
                yield f"{name} has no subcommand '{word}'"
            for flag in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", rest):
                if flag not in flags:
                    yield f"{name} has no flag '{flag}'"


def check_path(root, code):
    if not re.fullmatch(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]*)+", code) or re.search(
        r"(^|[/_.-])[A-Z]{2,}([/_.-]|$)", code
    ):
        return
    first = code.split("/")[0]
    homes = [
        home
        for home in (root, root / "src", root / "include")
        if (home / first).is_dir() and first not in ("build", ".", "..")
    ]
    if homes and not any((home / code).exists() for home in homes):
        yield f"no file or folder '{code}'"


def check(root):
    names = known_names(root)
    complaints = []
    for path in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        file = path.relative_to(root).as_posix()
        for number, code in code_pieces(text):
            for complaint in [*check_command(code, names), *check_path(root, code.strip())]:
                complaints.append(f"{file}:{number}: {complaint}")
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > MAX_COLUMNS and not line.startswith("|"):
                complaints.append(f"{file}:{number}: {len(line)} columns, expected at most {MAX_COLUMNS}")
            for target in re.findall(r"\]\(([^)#\s]+)", line):
                if "://" not in target and not (path.parent / target).exists():
                    complaints.append(f"{file}:{number}: no file '{target}' to link to")
    return complaints


if __name__ == "__main__":
    complaints = check(
        pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    )
    print("\n".join(complaints) if complaints else "the documents are in order")
    sys.exit(1 if complaints else 0)
