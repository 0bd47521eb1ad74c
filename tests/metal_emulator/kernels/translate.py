#!/usr/bin/env python3
"""Turns a Metal text into C++ that the emulator can run:
translate.py --name NAME --output OUT.cc [--clang CLANG] TEXT.metal

The text as metal_text.py rewrites it, then one entry point for each kernel and the table that emulated_library.h
describes. The text may include metal_* headers only.

With --clang the text's types are checked too: almost as it is, it is read as C++ for OpenCL, which has address spaces
as Metal has them, with the declarations of strict/metal_stdlib.
"""
import argparse
import pathlib
import subprocess
import sys

import metal_text

STRICT_OPTIONS = ["-x", "cl", "-cl-std=clc++2021", "--target=spir64", "-cl-no-stdinc", "-cl-single-precision-constant",
                  "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-uninitialized", "-Wno-sometimes-uninitialized",
                  "-Wno-unknown-attributes", "-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-unused-parameter",
                  "-Wno-unused-variable", "-Wno-unused-const-variable",
                  "-isystem", str(pathlib.Path(__file__).parent / "strict"), "-"]


def entry(kernel):
    given = []
    for argument in kernel.arguments:
        if argument.kind == "builtin":
            given.append(f"metal_emulator::Builtin<metal::{argument.type}>::Of(call, "
                         f"&metal_emulator::Invocation::{argument.call})")
        elif argument.alone:
            given.append(f"metal_emulator::ReferenceTo<{argument.type}>(call.Buffer({argument.index}))")
        else:
            method = "Buffer" if argument.kind == "buffer" else "ThreadgroupArgument"
            qualified = argument.type if argument.written or argument.kind != "buffer" else f"const {argument.type}"
            given.append(f"metal_emulator::PointerTo<{metal_text.POINTERS[argument.call]}<{qualified}>>"
                         f"(call.{method}({argument.index}))")
    inner = ",\n      ".join(given)
    return (f"void Run_{kernel.name}(metal_emulator::Invocation& call) {{\n"
            f"  (void)call;\n  {kernel.name}({inner});\n}}\n")


def table_row(text, kernel):
    mine = text.constants_of(kernel)
    buffers = []
    for a in (a for a in kernel.arguments if a.kind == "buffer"):
        only_if = text.constants[a.only_if][0] if a.only_if else "-1"
        buffers.append(f'{{"{a.name}", {a.index}, {"true" if a.written else "false"}, sizeof({a.type}), '
                       f"alignof({a.type}), {only_if}}}")
    groups = ", ".join(str(a.index) for a in kernel.arguments if a.kind == "threadgroup")
    constants = []
    for name in mine:
        index, type_text = text.constants[name]
        constants.append(f'{{"{name}", {index}, metal_emulator::ConstantType::{metal_text.CONSTANT_TYPES[type_text]}, '
                         f'{"false" if name in text.defined_asked else "true"}}}')
    sizes = [f'{{"{name}", sizeof({variable})}}' for name, variable in kernel.variables]
    total = " + ".join(f"(sizeof({variable}) + 15) / 16 * 16" for _, variable in kernel.variables) or "0"
    return (f'    {{"{kernel.name}",\n     {{{", ".join(buffers)}}},\n     {{{groups}}},\n'
            f'     {{{", ".join(constants)}}},\n     {kernel.max_threads or 1024},\n     {total},\n'
            f'     {{{", ".join(sizes)}}},\n     &Run_{kernel.name}}},\n')


def generate(text, name):
    body = text.translate()
    delimiter = "metal"
    while f"){delimiter}\"" in text.text:
        delimiter += "_"
    entries = "\n".join(entry(kernel) for kernel in text.kernels)
    rows = "".join(table_row(text, kernel) for kernel in text.kernels)
    return (f"// Made by translate.py of {pathlib.Path(text.path).name}; do not edit.\n"
            '#include "tests/metal_emulator/kernels/entry.h"\n\n'
            f"namespace {{\n#line 1 \"{text.path}\"\n{body}\n}}  // namespace\n"
            f"#line 1 \"{name}.entries\"\n"
            f"namespace {{\n{entries}\n"
            f"const metal_emulator::Library* MakeLibrary() {{\n"
            f"  static const metal_emulator::Library library = metal_emulator::InOrder({{\"{name}\",\n"
            f"R\"{delimiter}({text.text}){delimiter}\",\n{{\n{rows}  }}}});\n"
            "  return &library;\n}\n}  // namespace\n\n"
            f"// Whoever links the library asks for this symbol, so that the linker keeps what stands here.\n"
            f"extern \"C\" {{\nmetal_emulator::RegisterLibrary metal_emulator_library_{name}(MakeLibrary());\n}}\n")


def check_types(text, clang):
    """`text` has been translated."""
    done = subprocess.run([clang, *STRICT_OPTIONS], input=text.strict(), encoding="utf-8", capture_output=True)
    if done.returncode != 0:
        raise metal_text.Refused(done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="of the library, a C identifier")
    parser.add_argument("--output", required=True)
    parser.add_argument("--clang", help="that checks types")
    parser.add_argument("text")
    options = parser.parse_args()
    # Line ends as they are: the library's source must be the very text that the host hands over.
    with open(options.text, encoding="utf-8", newline="") as file:
        source = file.read()
    try:
        text = metal_text.MetalText(source, options.text)
        made = generate(text, options.name)
        if options.clang:
            check_types(text, options.clang)
    except metal_text.Refused as refused:
        sys.exit(str(refused))
    with open(options.output, "w", encoding="utf-8", newline="") as file:
        file.write(made)


if __name__ == "__main__":
    main()
