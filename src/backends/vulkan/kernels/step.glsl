// What every kernel begins with. Before it includes this file the kernel defines PARAMS, its params struct,
// HAS_EPILOGUE where its kind has one, and MATRIX_KERNEL where it is a matrix product. The build compiles each kernel
// twice: with VALUES_F16 the values in a run's arena are f16, without they are f32. The arithmetic is f32 in both.
//
// A run's block holds its input and its arena; its output lies elsewhere in the same buffer. The weights are a buffer
// of their own. Offsets count from the start of these buffers in elements of the operand (schedule/steps/element.h).
// The same memory has several names here: as scalars and as vectors of 4, as what is read and what is written.
#extension GL_EXT_control_flow_attributes : require
#include "backends/gpu/steps/kernel_constants.h"
#include "schedule/steps/epilogue_params.h"
#ifdef VALUES_F16
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define VALUE float16_t
#define VALUES4 f16vec4
#else
#define VALUE float
#define VALUES4 vec4
#endif

#ifndef MATRIX_UNITS
layout(local_size_x = 256) in;
#define WORKGROUP_SIZE 256
#endif

// Offsets by slot of the kind's contract (gpu/steps/work.h); 0 for operands that a step has not.
struct Operands {
  uint x;         // reads 0
  uint gate;      // reads 1; k of attention
  uint residual;  // reads 2; v of attention
  uint w;         // weights 0
  uint bias;      // weights 1
  uint y;         // writes 0
#ifndef HAS_EPILOGUE
  uint w2;       // weights 2
  uint bias2;    // weights 3
  uint partial;  // writes 1, or scratch of the kernel's own; always f32
#endif
};

layout(push_constant) uniform Push {
  PARAMS p;
#ifdef HAS_EPILOGUE
  EpilogueParams e;
#endif
  Operands o;
};

// Restricted although they are the same memory: what a thread reads and another place it writes never depend on one
// another, so that loads need not wait for stores.
layout(set = 0, binding = 0) restrict readonly buffer Values { VALUE values[]; };
layout(set = 0, binding = 0) restrict readonly buffer ValuesBy4 { VALUES4 values_by_4[]; };
layout(set = 0, binding = 0) restrict writeonly buffer ValuesOut { VALUE values_out[]; };
layout(set = 0, binding = 0) restrict writeonly buffer ValuesOutBy4 { VALUES4 values_out_by_4[]; };
layout(set = 0, binding = 0) readonly buffer Floats { float floats[]; };
layout(set = 0, binding = 0) readonly buffer FloatsBy4 { vec4 floats_by_4[]; };
layout(set = 0, binding = 0) writeonly buffer FloatsOut { float floats_out[]; };
layout(set = 0, binding = 0) writeonly buffer FloatsOutBy4 { vec4 floats_out_by_4[]; };
layout(set = 0, binding = 1) restrict readonly buffer Weights { float weights[]; };
layout(set = 0, binding = 1) restrict readonly buffer WeightsBy4 { vec4 weights_by_4[]; };
// The weights of matrix kernels have the element of values (weights_form.h).
layout(set = 0, binding = 1) restrict readonly buffer MatrixWeights { VALUE matrix_weights[]; };

#ifdef MATRIX_KERNEL
const uint kNowhere = 0xffffffffu;
layout(constant_id = INKREAD_CONSTANT_X_ALIGNED_8) const bool kReadsAreAligned = false;
layout(constant_id = INKREAD_CONSTANT_WEIGHTS_ALIGNED_8) const bool kWeightsAreAligned = false;
layout(constant_id = INKREAD_CONSTANT_Y_ALIGNED_4) const bool kResultsAreAligned = false;
layout(constant_id = INKREAD_CONSTANT_IS_POINTWISE) const bool kIsPointwise = false;
layout(constant_id = INKREAD_CONSTANT_SIMPLE_ACTIVATION) const bool kHasSimpleActivation = false;
#else
layout(constant_id = INKREAD_CONSTANT_VECTOR_WIDTH) const uint kVectorWidth = 1;
const bool kResultsAreAligned = kVectorWidth == 4;
const bool kHasSimpleActivation = false;
#endif

// Four values from `at` on; those behind `count` are undefined.
vec4 ValuesAt(uint at, uint count, bool is_aligned) {
  if (is_aligned) return vec4(values_by_4[at / 4]);
  vec4 v = vec4(0.0);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (i < count) v[i] = float(values[at + i]);
  }
  return v;
}

vec4 WeightsAt(uint at, uint count, bool is_aligned) {
  if (is_aligned) return weights_by_4[at / 4];
  vec4 v = vec4(0.0);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (i < count) v[i] = weights[at + i];
  }
  return v;
}

// The first `count` of four values.
void Store(uint at, vec4 v, uint count) {
  if (kResultsAreAligned && count >= 4) {
    values_out_by_4[at / 4] = VALUES4(v);
    return;
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (i < count) values_out[at + i] = VALUE(v[i]);
  }
}

#ifndef MATRIX_KERNEL
// The kVectorWidth channels that a thread takes.
vec4 ValuesAt(uint at) { return ValuesAt(at, kVectorWidth, kVectorWidth == 4); }
vec4 WeightsAt(uint at) { return WeightsAt(at, kVectorWidth, kVectorWidth == 4); }
void Store(uint at, vec4 v) { Store(at, v, kVectorWidth); }
#endif

// Workgroups are counted over two dimensions, since one may end at 65535. The last row can have some too many.
uint WorkgroupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// Relative error at most 2e-7 on [-87, 88]; arguments outside count as the nearer end. The devices' own differ.
// Polynomial: Cephes, expf.
vec4 Exp(vec4 x) {
  x = clamp(x, -87.0, 88.0);
  const vec4 n = roundEven(x * 1.44269504088896341);
  // ln 2 in two parts, the first short enough that n times it is exact.
  precise vec4 r = fma(-n, vec4(0.693359375), x);
  r = fma(-n, vec4(-2.12194440e-4), r);
  precise vec4 q = vec4(1.9875691500e-4);
  q = fma(q, r, vec4(1.3981999507e-3));
  q = fma(q, r, vec4(8.3334519073e-3));
  q = fma(q, r, vec4(4.1665795894e-2));
  q = fma(q, r, vec4(1.6666665459e-1));
  q = fma(q, r, vec4(5.0000001201e-1));
  q = fma(q, r * r, r) + 1.0;
  return q * intBitsToFloat((ivec4(n) + 127) << 23);
}
float Exp(float x) { return Exp(vec4(x)).x; }
