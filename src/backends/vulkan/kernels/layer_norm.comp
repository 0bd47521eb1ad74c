// layer_norm: one group a row. y may be x: a thread reads again only what it alone writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/layer_norm_params.h"
#define PARAMS LayerNormParams
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/group_sum.glsl"

void main() {
  const uint row = GroupIndex();
  if (row >= p.rows) return;
  const uint x = o.x + row * p.x_ld, y = o.y + row * p.y_ld;
  float sum = 0.0;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) sum += work[x + c];
  const float mean = GroupSum(sum) / float(p.c);
  float squares = 0.0;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) {
    const float difference = work[x + c] - mean;
    squares = fma(difference, difference, squares);
  }
  const float variance = GroupSum(squares) / float(p.c);
  const float deviation = sqrt(variance + p.epsilon);
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += GROUP_SIZE) {
    work_out[y + c] = fma((work[x + c] - mean) / deviation, weights[o.w + c], weights[o.bias + c]);
  }
}
