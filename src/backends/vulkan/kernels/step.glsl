// What every kernel begins with. The kernel defines PARAMS, its params struct, and HAS_EPILOGUE where its kind has one,
// before it includes this file.
//
// A run's block holds its input, its output and its arena; the weights are a buffer of their own. All offsets are in
// words from the start of these buffers. The same memory is bound several times: as what is read, as what is written,
// and as integers.
#include "schedule/steps/epilogue_params.h"

layout(local_size_x = 256) in;
#define GROUP_SIZE 256

// By slot of the kind's contract; those that a step has not are 0.
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
  uint partial;  // writes 1, or scratch of the kernel's own
#endif
};

layout(push_constant) uniform Push {
  PARAMS p;
#ifdef HAS_EPILOGUE
  EpilogueParams e;
#endif
  Operands o;
};

layout(set = 0, binding = 0) readonly buffer WorkIn { float work[]; };
layout(set = 0, binding = 1) writeonly buffer WorkOut { float work_out[]; };
layout(set = 0, binding = 2) writeonly buffer WorkOutWords { uint work_out_words[]; };
layout(set = 0, binding = 3) readonly buffer Weights { float weights[]; };

// Groups are counted over two dimensions, since one may end at 65535. The last row of them can have some too many.
uint GroupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// Relative error at most 2e-7 on [-87, 88]; arguments outside count as the nearer end. The devices' own differ.
// Polynomial: Cephes, expf.
float Exp(float x) {
  x = clamp(x, -87.0, 88.0);
  const float n = roundEven(x * 1.44269504088896341);
  // ln 2 in two parts, the first short enough that n times it is exact.
  precise float r = fma(-n, 0.693359375, x);
  r = fma(-n, -2.12194440e-4, r);
  precise float q = 1.9875691500e-4;
  q = fma(q, r, 1.3981999507e-3);
  q = fma(q, r, 8.3334519073e-3);
  q = fma(q, r, 4.1665795894e-2);
  q = fma(q, r, 1.6666665459e-1);
  q = fma(q, r, 5.0000001201e-1);
  q = fma(q, r * r, r) + 1.0;
  return q * intBitsToFloat((int(n) + 127) << 23);
}
