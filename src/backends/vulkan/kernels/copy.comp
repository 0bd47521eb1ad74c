// copy: one thread an element, or four where both sides are dense and begin at a multiple. Alone among the kernels it sees two kinds of
// elements at once.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/copy_params.h"
#define PARAMS CopyParams
#include "backends/vulkan/kernels/step.glsl"

layout(constant_id = 9) const uint kFromFloats = 1;  // x is f32, whatever values are
layout(constant_id = 10) const uint kToFloats = 1;   // y is

// Of sides that are dense.
void CopyFour(uint at) {
  if (at >= p.dims[0] * p.dims[1] * p.dims[2] * p.dims[3] * p.dims[4]) return;
  const uint from = (o.x + at) / 4, to = (o.y + at) / 4;
  const vec4 v = kFromFloats != 0 ? floats_by_4[from] : vec4(values_by_4[from]);
  if (kToFloats != 0) {
    floats_out_by_4[to] = v;
  } else {
    values_out_by_4[to] = VALUES4(v);
  }
}

void main() {
  uint rest = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  if (kWidth == 4) {
    CopyFour(rest * 4);
    return;
  }
  uint from = o.x, to = o.y;
  for (int i = 4; i >= 0; --i) {
    from += rest % p.dims[i] * p.x_stride[i];
    to += rest % p.dims[i] * p.y_stride[i];
    rest /= p.dims[i];
  }
  if (rest != 0) return;
  const float v = kFromFloats != 0 ? floats[from] : float(values[from]);
  if (kToFloats != 0) {
    floats_out[to] = v;
  } else {
    values_out[to] = VALUE(v);
  }
}
