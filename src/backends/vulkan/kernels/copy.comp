// copy: one thread an element, or four where both sides are dense and aligned to 4 elements. The only kernel whose x
// and y may differ in their elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/copy_params.h"
#define PARAMS CopyParams
#include "backends/vulkan/kernels/step.glsl"

layout(constant_id = INKREAD_CONSTANT_X_IS_F32) const bool kXIsF32 = true;
layout(constant_id = INKREAD_CONSTANT_Y_IS_F32) const bool kYIsF32 = true;

// Of sides that are dense.
void CopyFour(uint at) {
  if (at >= p.dims[0] * p.dims[1] * p.dims[2] * p.dims[3] * p.dims[4]) return;
  const uint from = (o.x + at) / 4, to = (o.y + at) / 4;
  const vec4 v = kXIsF32 ? floats_by_4[from] : vec4(values_by_4[from]);
  if (kYIsF32) {
    floats_out_by_4[to] = v;
  } else {
    values_out_by_4[to] = VALUES4(v);
  }
}

void main() {
  uint rest = WorkgroupIndex() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
  if (kVectorWidth == 4) {
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
  const float v = kXIsF32 ? floats[from] : float(values[from]);
  if (kYIsF32) {
    floats_out[to] = v;
  } else {
    values_out[to] = VALUE(v);
  }
}
