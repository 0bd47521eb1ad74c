// softmax: one group a row. y may be x: a thread reads again only what it alone writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/softmax_params.h"
#define PARAMS SoftmaxParams
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/group_sum.glsl"

void main() {
  const uint row = GroupIndex();
  if (row >= p.rows) return;
  const uint x = o.x + row * p.x_ld, y = o.y + row * p.y_ld;
  float largest = -3.402823466e38;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) largest = max(largest, work[x + c]);
  largest = GroupMax(largest);
  float sum = 0.0;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) sum += Exp(work[x + c] - largest);
  sum = GroupSum(sum);
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) {
    work_out[y + c] = Exp(work[x + c] - largest) / sum;
  }
}
