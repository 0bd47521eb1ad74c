#!/usr/bin/env python3
"""Tests of metal_text.py and translate.py: what it writes for what, and what it refuses, with file and line."""
import os
import shutil
import unittest

import metal_text
import translate

KERNEL = "kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {{ {0} }}\n"


def translated(text):
    return metal_text.MetalText(text, "t.metal").translate()


class RewritesTest(unittest.TestCase):
    def check(self, text, expected):
        self.assertEqual(" ".join(translated(text).split()), " ".join(expected.split()))

    def test_pointers(self):
        self.check("void f(device const half* a, const device half *b, constant uint* c, threadgroup vec<half, 4>* d);",
                   "void f(metal::device_ptr<const half> a, metal::device_ptr<const half>b, "
                   "metal::constant_ptr<const uint> c, metal::threadgroup_ptr<vec < half , 4 >> d);")
        self.check("void f(thread float* a, thread const S& b, constant S& c) { x = (device uint*)p; }",
                   "void f( float* a, const S& b, const S& c) { x = (metal::device_ptr<uint>)p; }")
        self.check("void f() { p = reinterpret_cast<device const half4*>(q); n = reinterpret_cast<thread uint&>(m); }",
                   "void f() { p = metal::pointer_cast<metal::device_ptr<const half4>>(q); "
                   "n = reinterpret_cast< uint&>(m); }")

    def test_lines_keep_their_numbers(self):
        text = "// one\nvoid f(device\n   const half*\n a,\n float b) {\n int c = 1.5;\n}\n"
        made = translated(text)
        self.assertEqual(made.count("\n"), text.count("\n"))
        self.assertIn("1.5f", made.split("\n")[5])

    def test_literals(self):
        self.check("void f() { a = 1.0; b = 1.f; d = 1e-3; e = 0x1e2; f = 10u; g = 1.5h; h = .5; i = 7; }",
                   "void f() { a = 1.0f; b = 1.f; d = 1e-3f; e = 0x1e2; f = 10u; "
                   "g = metal::half(1.5f); h = .5f; i = 7; }")
        self.check("#define A 2.5 // of 1.5 and 1\n", "#define A 2.5f // of 1.5 and 1")
        self.check("void f() { a = b.x1; /* 1.5 */ c = \"1.5\"; }", "void f() { a = b.x1; /* 1.5 */ c = \"1.5\"; }")

    def test_constants(self):
        self.check("constant uint kA [[function_constant(N)]]; constant uint kB = kA * 2; constant float kC = 1.0;\n"
                   "void f() { x = kA + kB + s.kA; }",
                   "static inline uint kA() { return metal_emulator::FunctionConstantValue<uint>(N); } "
                   "static inline uint kB() { return ( kA() * 2); } static const float kC = 1.0f; "
                   "void f() { x = kA() + kB() + s.kA; }")
        self.check("struct S { static constant constexpr uint k = 4; };",
                   "struct S { static const constexpr uint k = 4; };")

    def test_threadgroup_variables(self):
        self.check(KERNEL.format("threadgroup float a[N + 1][4]; threadgroup uint n;"),
                   "static void k(metal::device_ptr<float> y , uint i ) { "
                   "const metal::threadgroup_array<float, (N + 1), (4)> a(0u); "
                   "const metal::threadgroup_variable<uint> n(1u); }")


    def test_the_strict_form_is_the_text_but_for_function_constants(self):
        text = ("constant uint kA [[function_constant(N)]];\nconstant uint kB =\n  kA * 2.0; constant float kC = 1.0;\n"
                "kernel void k(device float* y [[buffer(0)]]) { if (is_function_constant_defined(kA)) y[0] = kB; }\n")
        text_of = metal_text.MetalText(text, "t.metal")
        text_of.translate()
        self.assertEqual(text_of.strict(), '#line 1 "t.metal"\n' "extern constant uint kA;\nextern constant uint kB;\n "
                         "constant float kC = 1.0;\n"
                         "kernel void k(device float* y [[buffer(0)]]) { if (true) y[0] = kB; }\n")


class RefusesTest(unittest.TestCase):
    def check(self, text, line, message):
        with self.assertRaises(metal_text.Refused) as refused:
            translated(text)
        self.assertTrue(str(refused.exception).startswith(f"t.metal:{line}: "), str(refused.exception))
        self.assertIn(message, str(refused.exception))

    def test_what_metal_has_not(self):
        self.check("\nvoid f() { double x; }", 2, "Metal has no double")
        self.check(KERNEL.format("\nstatic int n = 0;"), 2, "no static variables")
        self.check(KERNEL.format("\n\nfor (;;) { y[0] = [](int a) { return a; }(1); }"), 3, "no lambdas")
        self.check("void f() { int* p = new int; }", 1, "Metal has no new")
        self.check("#include <vector>\n", 1, "only metal_* headers")
        self.check("#include \"a.h\"\n", 1, "only metal_* headers")

    def test_what_the_emulator_has_not(self):
        self.check("void f() { auto x = y; }", 1, "name the type")
        self.check("#define PTR device float*\n", 1, "a macro cannot say 'device'")
        self.check("constant bool kA [[function_constant(0)]];\n#define HAS kA\n", 2, "a macro cannot say 'kA'")
        self.check("void f(device float** p);", 1, "a pointer to a pointer")
        self.check("void f(float device* p);", 1, "before the type")
        self.check("void f(threadgroup float& x);", 1, "take a pointer")
        self.check("void f(threadgroup float (&x)[4]);", 1, "take a pointer")
        self.check("void f() { device const float *a, *b; }", 1, "one pointer a declaration")
        self.check("template <typename T> kernel void k() {}", 1, "templates of kernels")
        self.check("void f() { threadgroup float a[4]; }", 1, "outside a kernel's body")
        self.check(KERNEL.format("threadgroup float a[4], b[4];"), 1, "one name")
        self.check("void f() { constant float a = 1; }", 1, "at program scope")

    def test_pointers_without_an_address_space(self):
        self.check("void g() {\n half4 *p; }", 2, "a pointer or reference to half4 without an address space")
        self.check("struct S { int a; };\nvoid f(const S& s) {}", 2, "to S without")
        self.check("template <typename T>\nvoid f(thread T& s, T* t) {}", 2, "to T without")
        translated("struct S { int a; };\n"
                   "void f(thread const S& s, device S* t) { a = sizeof(float) * 2; b = int(c) & d; }")

    def test_arguments_of_kernels(self):
        self.check("kernel void k(device float* y) {}", 1, "without an attribute")
        self.check("kernel void k(device float* y [[texture(0)]]) {}", 1, "unknown attribute")
        self.check("kernel void k(device float* y [[threadgroup(0)]]) {}", 1, "does not fit")
        self.check("kernel void k(device float* y [[buffer(0)]],\n device float* z [[buffer(0)]]) {}", 2,
                   "taken already")
        self.check("kernel void k(float i [[thread_position_in_grid]]) {}", 1, "cannot be of type")
        self.check("kernel void k(uint2 i [[thread_index_in_simdgroup]]) {}", 1, "cannot be of type")
        self.check("kernel void k(device float* y [[buffer(0), function_constant(kA)]]) {}", 1, "no function constant")
        self.check("[[stitchable]] void f() {}", 1, "unknown attribute")
        self.check("constant float4 kA [[function_constant(0)]];", 1, "no function constants of type float4")
        self.check("kernel void k() {}\nkernel void k() {}", 2, "already")


CLANG = os.environ.get("CLANG") or shutil.which("clang++") or shutil.which("clang++-14")


@unittest.skipUnless(CLANG, "no clang")
class TypesTest(unittest.TestCase):
    """What C++ without address spaces would take and Metal does not."""
    BEGIN = """#include <metal_stdlib>
using namespace metal;
constant uint kA [[function_constant(0)]];
struct S { float a; };
inline float OfConstant(constant S& s) { return s.a; }
inline float OfThread(thread const S& s) { return s.a; }
inline float OfDevice(device const float* p) { return p[0]; }
kernel void k(constant S& s [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  S mine = {1.0};
  threadgroup float tile[4];
  half h = 0.5h;
  float4 v = float4(1.0);
"""

    def run_check(self, line):
        text_of = metal_text.MetalText(self.BEGIN + line + "\n}\n", "t.metal")
        text_of.translate()
        translate.check_types(text_of, CLANG)

    def test_takes(self):
        for line in ("y[0] = OfConstant(s) + OfThread(mine) + OfDevice(y);", "y[i] = max(h, 1.0h) + float(kA);",
                     "y[1] = max(v, 0.0f).x + (v * 2.0f).y + float4(half4(v)).z;", "tile[i] = simd_sum(y[i]);",
                     "*(device float4*)(y + 4) = fma(v, v, float4(y[0]));"):
            self.run_check(line)

    def test_refuses(self):
        for line in ("y[0] = OfConstant(mine);", "y[0] = OfThread(s);", "y[0] = OfDevice(tile);",
                     "y[0] = max(h, 1.0f);", "y[0] = min(i, 3);", "half4 w = v;", "s.a = 1.0;",
                     "if (i == 0) { threadgroup float inner[4]; inner[0] = 1.0; }", "y[0] = no_such_function(v);",
                     "device const half* x = y; y[0] = float(x[0]);", "y[0] = v;"):
            with self.assertRaises(metal_text.Refused, msg=line) as refused:
                self.run_check(line)
            self.assertIn("t.metal:13:", str(refused.exception))


if __name__ == "__main__":
    unittest.main()
