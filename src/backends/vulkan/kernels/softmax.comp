// softmax: a workgroup takes a row. y may be x: a thread reads again only what it alone writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/softmax_params.h"
#define PARAMS SoftmaxParams
#include "backends/vulkan/kernels/step.glsl"
#define ROW_THREADS WORKGROUP_SIZE
#include "backends/vulkan/kernels/row_sum.glsl"

void main() {
  const uint row = WorkgroupIndex();
  if (row >= p.rows) return;
  const uint x = o.x + row * p.x_ld, y = o.y + row * p.y_ld;
  float largest = -3.402823466e38;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += WORKGROUP_SIZE) largest = max(largest, float(values[x + c]));
  largest = RowMax(largest);
  float sum = 0.0;
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += WORKGROUP_SIZE) sum += Exp(float(values[x + c]) - largest);
  sum = RowSum(sum);
  for (uint c = gl_LocalInvocationIndex; c < p.c; c += WORKGROUP_SIZE) {
    values_out[y + c] = VALUE(Exp(float(values[x + c]) - largest) / sum);
  }
}
