// What every kernel begins with: its memory, and the arithmetic that all devices do alike.
//
// A run's block holds its input, its arena and scratch; its output lies elsewhere in the same buffer. The weights are a
// buffer of their own. Offsets are in elements of the operand from the start of these buffers: f16 or f32 as kIsF16
// says, and f32 for weights other than a matrix kernel's, partial sums and scratch.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_STEP_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_STEP_METAL_

#include <metal_stdlib>

#include "backends/gpu/steps/kernel_constants.h"
#include "backends/metal/kernels/sizes.h"
#include "schedule/steps/epilogue_params.h"

using namespace metal;

constant uint kValuesAreF16 [[function_constant(INKREAD_CONSTANT_VALUES_ARE_F16)]];
constant uint kVectorWidth [[function_constant(INKREAD_CONSTANT_VECTOR_WIDTH)]];
constant uint kPhase [[function_constant(INKREAD_CONSTANT_PHASE)]];
constant bool kIsF16 = kValuesAreF16 != 0;

// Offsets by slot of the kind's contract (gpu/steps/work.h); 0 for operands that a step has not.
struct EpilogueOperands {
  uint x;         // reads 0
  uint gate;      // reads 1
  uint residual;  // reads 2
  uint w;         // weights 0
  uint bias;      // weights 1
  uint y;         // writes 0
};
struct PlainOperands {
  uint x;        // reads 0
  uint k;        // reads 1
  uint v;        // reads 2
  uint w;        // weights 0
  uint bias;     // weights 1
  uint y;        // writes 0
  uint w2;       // weights 2
  uint bias2;    // weights 3
  uint partial;  // writes 1, or scratch of the kernel's own
};

struct Memory {
  device half* values_f16;
  device float* values_f32;
  device const float* weights;
};

inline float Load(Memory m, uint at) { return kIsF16 ? float(m.values_f16[at]) : m.values_f32[at]; }

inline void Store(Memory m, uint at, float v) {
  if (kIsF16) {
    m.values_f16[at] = half(v);
  } else {
    m.values_f32[at] = v;
  }
}

// kVectorWidth values side by side; the others are 0. Four lie at a whole number of fours.
inline float4 LoadSome(Memory m, uint at) {
  if (kVectorWidth != 4) return float4(Load(m, at), 0.0f, 0.0f, 0.0f);
  if (kIsF16) return float4(*(device const half4*)(m.values_f16 + at));
  return *(device const float4*)(m.values_f32 + at);
}

inline void StoreSome(Memory m, uint at, float4 v) {
  if (kVectorWidth != 4) {
    Store(m, at, v.x);
  } else if (kIsF16) {
    *(device half4*)(m.values_f16 + at) = half4(v);
  } else {
    *(device float4*)(m.values_f32 + at) = v;
  }
}

// The same of f32 weights, wherever they lie.
inline float4 WeightsSome(Memory m, uint at) {
  if (kVectorWidth != 4) return float4(m.weights[at], 0.0f, 0.0f, 0.0f);
  return float4(m.weights[at], m.weights[at + 1], m.weights[at + 2], m.weights[at + 3]);
}

// Relative error at most 2e-7 on [-87, 88]; args outside count as the nearer end. The devices' own differ.
// Polynomial: Cephes, expf.
inline float Exp(float x) {
  x = clamp(x, -87.0f, 88.0f);
  const float n = rint(x * 1.44269504088896341f);
  // ln 2 in two parts, the first short enough that n times it is exact.
  float r = fma(-n, 0.693359375f, x);
  r = fma(-n, -2.12194440e-4f, r);
  float q = 1.9875691500e-4f;
  q = fma(q, r, 1.3981999507e-3f);
  q = fma(q, r, 8.3334519073e-3f);
  q = fma(q, r, 4.1665795894e-2f);
  q = fma(q, r, 1.6666665459e-1f);
  q = fma(q, r, 5.0000001201e-1f);
  q = fma(q, r * r, r) + 1.0f;
  return q * as_type<float>((int(n) + 127) << 23);
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_STEP_METAL_
