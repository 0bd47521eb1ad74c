#!/usr/bin/env python3
"""Installs a build into a fresh folder and uses it as another project would.

install_test.py --cmake CMAKE --build DIR --scratch DIR --cxx COMPILER --cc COMPILER
"""
import argparse
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import snippets

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLE = ROOT / "samples" / "receipt.png"
SAMPLE_HAS = "INKREAD BOOKSHOP"

arguments = None
prefix = None


def run(*command, env=None, check=True):
    """The finished process; with `check` a failure of it is one of the test."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", timeout=300,
                          env=dict(os.environ, **env) if env else None)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def flags(*packages):
    pc = next(prefix.rglob("inkread.pc")).parent
    paths = f"{pc}:{os.environ.get('PKG_CONFIG_PATH', '')}"
    return run("pkg-config", "--cflags", "--libs", *packages, env={"PKG_CONFIG_PATH": paths}).stdout.split()


def compile_program(source, *options):
    """Compiles with the flags that the documents name and no others; returns the program."""
    program = arguments.scratch / "programs" / pathlib.Path(source).stem
    program.parent.mkdir(exist_ok=True)
    run(arguments.cxx, "-std=c++20", source, "-o", program, *options)
    return program


def compile_c_program(source, *options):
    """The same for C11, without extensions and with its warnings."""
    program = arguments.scratch / "programs" / pathlib.Path(source).stem
    program.parent.mkdir(exist_ok=True)
    run(arguments.cc, "-std=c11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", source, "-o", program, *options)
    return program


def shared_library():
    return next(prefix.rglob("libinkread.so.0"))


def c_functions():
    """The functions that inkread.h declares."""
    return set(re.findall(r"^INKREAD_C_API [^(]*?(\w+)\(", (ROOT / "include" / "inkread" / "inkread.h").read_text(),
                          re.MULTILINE))


def archive(name):
    return next(prefix.rglob(f"lib{name}.a"))


def symbols(file, *options):
    """(kind, demangled name) of each symbol that `nm` lists."""
    lines = run("nm", "-C", *options, file).stdout.splitlines()
    return [(found.group(1), found.group(2)) for line in lines if (found := re.match(r"[0-9a-f ]{16,} (\w) (.*)", line))]


def public_functions():
    """The functions that the public headers mark with INKREAD_API: "Engine::Create", "ListDevices"."""
    names = set()
    for header in sorted((ROOT / "include" / "inkread").glob("*.h")):
        owner = ""
        for line in header.read_text().splitlines():
            if found := re.match(r"class (?:\[\[nodiscard\]\] )?(\w+)", line):
                owner = found.group(1) + "::"
            elif line.startswith("}"):
                owner = ""
            if line.startswith("#"):
                continue
            if found := re.search(r"INKREAD_API [^(]*?(~?\w+)\(", line):
                names.add(owner + found.group(1))
    return names


def has_small_models():
    folder = pathlib.Path(run(prefix / "bin" / "inkread", "models", "path").stdout.strip())
    return any((place / "settings.txt").exists() and "size small" in (place / "settings.txt").read_text()
               for place in (folder / "small", folder))


class InstallTest(unittest.TestCase):
    def check_reads_the_sample(self, program):
        """Without models a program says how to get them; with models it prints the sample's text."""
        missing = run(program, SAMPLE, env={"INKREAD_MODELS": str(arguments.scratch / "nowhere")}, check=False)
        self.assertEqual((missing.returncode, missing.stdout), (1, ""), missing.stderr)
        self.assertIn("`inkread models fetch small`", missing.stderr)
        if not has_small_models():
            print("the programs did not read the sample: no small models here", file=sys.stderr)
            return
        self.assertIn(SAMPLE_HAS, run(program, SAMPLE).stdout.splitlines())

    def test_cmake_finds_the_libraries(self):
        build = arguments.scratch / "consumer"
        run(arguments.cmake, "-G", "Ninja", "-S", HERE / "consumer", "-B", build, f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
            f"-DCMAKE_PREFIX_PATH={prefix}")
        run(arguments.cmake, "--build", build)
        run(build / "consumer")
        run(build / "consumer_of_all")

    def test_pkg_config_finds_the_libraries(self):
        run(compile_program(HERE / "consumer" / "consumer.cc", *flags("inkread")))

    def test_the_command_runs(self):
        self.assertRegex(run(prefix / "bin" / "inkread", "--version").stdout, r"^inkread \d")

    def test_the_manual_page_and_the_completions_are_there(self):
        share = prefix / "share"
        with gzip.open(share / "man" / "man1" / "inkread.1.gz", "rt") as page:
            self.assertIn(".SH NAME\ninkread", page.read())
        for path in ("bash-completion/completions/inkread", "zsh/site-functions/_inkread",
                     "fish/vendor_completions.d/inkread.fish"):
            self.assertIn("inkread", (share / path).read_text(), path)

    def test_the_examples_read_an_image(self):
        build = arguments.scratch / "examples"
        run(arguments.cmake, "-G", "Ninja", "-S", ROOT / "examples", "-B", build, f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
            f"-DCMAKE_PREFIX_PATH={prefix}")
        run(arguments.cmake, "--build", build)
        for name in ("read_file", "read_buffer", "read_file_c"):
            with self.subTest(name):
                self.check_reads_the_sample(build / name)

    def test_the_program_of_the_readme_reads_an_image(self):
        source = arguments.scratch / "readme.cc"
        source.write_text(snippets.readme_program((ROOT / "README.md").read_text()))
        self.check_reads_the_sample(compile_program(source, *flags("inkread", "inkread-codec")))

    def test_the_lines_at_the_head_of_the_header_run(self):
        source = arguments.scratch / "ocr_h.cc"
        source.write_text(snippets.ocr_h_program((prefix / "include" / "inkread" / "ocr.h").read_text()))
        program = compile_program(source, *flags("inkread"))
        missing = run(program, env={"INKREAD_MODELS": str(arguments.scratch / "nowhere")}, check=False)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("`inkread models fetch small`", missing.stderr)
        if has_small_models():
            self.assertEqual(run(program).stdout, "")  # of a white image

    def check_reads_the_sample_in_c(self, program):
        environment = {"LD_LIBRARY_PATH": str(shared_library().parent)}
        missing = run(program, SAMPLE, env=environment | {"INKREAD_MODELS": str(arguments.scratch / "nowhere")},
                      check=False)
        self.assertEqual(missing.stdout, "")
        self.assertIn("`inkread models fetch small`", missing.stderr)
        if has_small_models():
            self.assertIn(SAMPLE_HAS, run(program, SAMPLE, env=environment).stdout.splitlines())

    def test_the_programs_in_c_of_the_documents_read_an_image(self):
        for page in ("docs/c.md", "README.md"):
            with self.subTest(page):
                source = arguments.scratch / "page_on_c.c"
                source.write_text(snippets.c_page_program((ROOT / page).read_text()))
                self.check_reads_the_sample_in_c(compile_c_program(source, *flags("inkread-c")))

    def test_the_lines_of_the_documents_tell_programs_of_the_prefix(self):
        (arguments.scratch / "home").mkdir(exist_ok=True)
        (arguments.scratch / "home" / ".local").symlink_to(prefix)
        source = arguments.scratch / "told.c"
        source.write_text(snippets.c_page_program((ROOT / "README.md").read_text()))
        use = (f"inkread --version && {arguments.cc} {source} -o {source}.out $(pkg-config --cflags --libs inkread-c) && "
               f"{arguments.cmake} -G Ninja -S {HERE / 'consumer'} -B {arguments.scratch / 'told'} "
               f"-DCMAKE_CXX_COMPILER={arguments.cxx} && {source}.out {arguments.scratch}/missing.png")
        for page in ("README.md", "docs/install.md"):
            with self.subTest(page):
                lines = snippets.install_lines((ROOT / page).read_text())
                done = run("bash", "-c", f"set -e\nunset PKG_CONFIG_PATH CMAKE_PREFIX_PATH LD_LIBRARY_PATH\n{lines}\n{use}",
                           env={"HOME": str(arguments.scratch / "home"),
                                "INKREAD_MODELS": str(arguments.scratch / "nowhere")}, check=False)
                self.assertRegex(done.stdout, r"^inkread \d")
                self.assertIn("`inkread models fetch small`", done.stderr)

    def test_the_lines_at_the_head_of_the_c_header_run(self):
        source = arguments.scratch / "inkread_h.c"
        source.write_text(snippets.inkread_h_program((prefix / "include" / "inkread" / "inkread.h").read_text()))
        self.check_reads_the_sample_in_c(compile_c_program(source, *flags("inkread-c")))

    def test_the_c_header_is_for_c_plus_plus_too(self):
        source = arguments.scratch / "c_header.cc"
        source.write_text("#include <inkread/inkread.h>\nint main() { return inkread_version()[0] == '0' ? 0 : 1; }\n")
        program = arguments.scratch / "c_header"
        run(arguments.cxx, "-std=c++11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", source, "-o", program,
            *flags("inkread-c"))
        run(program, env={"LD_LIBRARY_PATH": str(shared_library().parent)})

    def test_cmake_finds_the_c_library_alone(self):
        source, build = arguments.scratch / "c_only", arguments.scratch / "c_only_build"
        source.mkdir()
        (source / "version.c").write_text("#include <inkread/inkread.h>\n#include <stdio.h>\n"
                                          "int main(void) { return puts(inkread_version()) < 0; }\n")
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(c_only LANGUAGES C)\n"
            "find_package(inkread 0.1 REQUIRED COMPONENTS c)\n"
            "add_executable(version version.c)\ntarget_link_libraries(version PRIVATE inkread::c)\n")
        run(arguments.cmake, "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_C_COMPILER={arguments.cc}",
            f"-DCMAKE_PREFIX_PATH={prefix}")
        run(arguments.cmake, "--build", build)
        self.assertRegex(run(build / "version").stdout, r"^0\.\d")

    def test_the_shared_library_exports_the_functions_of_the_c_header_only(self):
        exported = {name for kind, name in symbols(shared_library(), "--dynamic", "--defined-only") if kind != "A"}
        exported = {re.sub(r"@@INKREAD_\d+$", "", name) for name in exported}
        self.assertGreater(len(c_functions()), 20)
        self.assertEqual(exported, c_functions())
        dynamic = run("readelf", "--dynamic", shared_library()).stdout
        self.assertIn("Library soname: [libinkread.so.0]", dynamic)

    def test_an_older_standard_is_refused_in_our_words(self):
        headers = sorted((prefix / "include" / "inkread").glob("*.h"))
        self.assertGreater(len(headers), 5)
        for header in headers:
            if header.name in ("inkread.h", "version.h"):  # for C; macros only
                continue
            with self.subTest(header.name):
                source = arguments.scratch / "old.cc"
                source.write_text(f"#include <inkread/{header.name}>\n")
                done = run(arguments.cxx, "-std=c++17", "-fsyntax-only", f"-I{prefix / 'include'}", source, check=False)
                self.assertNotEqual(done.returncode, 0)
                errors = [line for line in done.stderr.splitlines() if "error:" in line]
                self.assertIn("inkread needs C++20: compile with -std=c++20", errors[0])

    def test_no_foreign_symbol_leaves_the_archives(self):
        for name in ("inkread", "inkread_codec", "inkread_document", "inkread_formats", "inkread_models",
                     "inkread_server"):
            found = symbols(archive(name), "--extern-only", "--defined-only")
            self.assertGreater(len(found), 10)
            foreign = [name for kind, name in found if kind not in "uvVwW" and "inkread" not in name]
            self.assertEqual(foreign, [], name)

    def test_a_program_that_uses_vulkan_itself_runs(self):
        if run("pkg-config", "--exists", "vulkan", check=False).returncode != 0:
            self.skipTest("libvulkan is not installed for programs (Debian: libvulkan-dev)")
        for libraries in ((*flags("inkread"), "-lvulkan"), ("-lvulkan", *flags("inkread"))):
            said = run(compile_program(HERE / "consumer" / "vulkan_user.cc", *libraries)).stdout
            self.assertRegex(said, r"Vulkan 1\.\d+, inkread \d")

    def test_a_shared_object_exports_the_public_functions_only(self):
        library = arguments.scratch / "libuser.so"
        run(arguments.cxx, "-std=c++20", "-shared", "-fPIC", "-o", library, "-Wl,--whole-archive", archive("inkread"),
            archive("inkread_codec"), archive("inkread_document"), archive("inkread_formats"), archive("inkread_server"),
            "-Wl,--no-whole-archive", *flags("inkread-server"))
        exported = symbols(library, "--dynamic", "--defined-only")
        # Functions of the standard library that our code instantiates are weak and shared by every C++ library.
        # So are those of libqpdf's and Boost's headers, whose classes are declared to be shared.
        standard = re.compile(r"(?:[^\s(]+ )?(?:std|__gnu_cxx|QPDF\w*|Pipeline|boost)::"
                              r"|(?:typeinfo|vtable|guard variable)\b.* for (?:std::|QPDF|Pipeline|boost::)")
        ours = [name for _, name in exported if not standard.match(name)]
        functions = {re.sub(r"\[abi:\w+\]|\(.*", "", name).removeprefix("inkread::") for name in ours}
        models = {name for name in public_functions() if name in ("DefaultModelFolder", "ModelSizes", "ListModels",
                                                                   "VerifyModel", "FetchModels")}
        self.assertEqual(len(models), 5)
        self.assertEqual(functions, public_functions() - models)
        self.assertIn("Engine::ReadMany", functions)
        program = compile_program(HERE / "consumer" / "consumer.cc", f"-I{prefix / 'include'}", library,
                                  f"-Wl,-rpath,{library.parent}")
        run(program)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for option in ("cmake", "build", "scratch", "cxx", "cc"):
        parser.add_argument("--" + option, required=True,
                            type=pathlib.Path if option in ("build", "scratch") else str)
    arguments, others = parser.parse_known_args()
    prefix = arguments.scratch / "prefix"
    shutil.rmtree(arguments.scratch, ignore_errors=True)
    run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)
    unittest.main(argv=[sys.argv[0], *others], verbosity=2)
