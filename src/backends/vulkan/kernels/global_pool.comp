// global_pool in two phases: one thread a row's sum, then one thread a channel's.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/global_pool_params.h"
#define PARAMS GlobalPoolParams
#include "backends/vulkan/kernels/step.glsl"

layout(constant_id = 2) const uint kPhase = 0;

void SumRow(uint index) {
  if (index >= p.n * p.h * p.c) return;
  const uint c = index % p.c, line = index / p.c;
  float sum = 0.0;
  for (uint x = 0; x < p.w; ++x) sum += work[o.x + (line * p.w + x) * p.x_ld + c];
  work_out[o.partial + index] = sum;
}

void JoinRows(uint index) {
  if (index >= p.n * p.c) return;
  const uint c = index % p.c, image = index / p.c;
  float sum = 0.0;
  for (uint y = 0; y < p.h; ++y) sum += work[o.partial + (image * p.h + y) * p.c + c];
  work_out[o.y + index] = sum / (float(p.h) * float(p.w));
}

void main() {
  const uint index = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  if (kPhase == 0) {
    SumRow(index);
  } else {
    JoinRows(index);
  }
}
