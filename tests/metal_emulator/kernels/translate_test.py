#!/usr/bin/env python3
"""Tests of translate.py: what it writes for what, and what it refuses, with file and line."""
import unittest

import translate

KERNEL = "kernel void k(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {{ {0} }}\n"


def translated(text):
    return translate.Translator(text, "t.metal").translate()


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
        self.check("struct S { static constant constexpr uint k = 4; };", "struct S { static const constexpr uint k = 4; };")

    def test_threadgroup_variables(self):
        self.check(KERNEL.format("threadgroup float a[N + 1][4]; threadgroup uint n;"),
                   "static void k(metal::device_ptr<float> y , uint i ) { "
                   "const metal::threadgroup_array<float, (N + 1), (4)> a(0u); "
                   "const metal::threadgroup_variable<uint> n(1u); }")


class RefusesTest(unittest.TestCase):
    def check(self, text, line, message):
        with self.assertRaises(translate.Refused) as refused:
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

    def test_arguments_of_kernels(self):
        self.check("kernel void k(device float* y) {}", 1, "without an attribute")
        self.check("kernel void k(device float* y [[texture(0)]]) {}", 1, "unknown attribute")
        self.check("kernel void k(device float* y [[threadgroup(0)]]) {}", 1, "does not fit")
        self.check("kernel void k(device float* y [[buffer(0)]],\n device float* z [[buffer(0)]]) {}", 2, "taken already")
        self.check("kernel void k(float i [[thread_position_in_grid]]) {}", 1, "cannot be of type")
        self.check("kernel void k(uint2 i [[thread_index_in_simdgroup]]) {}", 1, "cannot be of type")
        self.check("kernel void k(device float* y [[buffer(0), function_constant(kA)]]) {}", 1, "no function constant")
        self.check("[[stitchable]] void f() {}", 1, "unknown attribute")
        self.check("constant float4 kA [[function_constant(0)]];", 1, "no function constants of type float4")
        self.check("kernel void k() {}\nkernel void k() {}", 2, "already")


if __name__ == "__main__":
    unittest.main()
