// layer_norm: 32 threads share a row, each takes four channels at a time. y may be x: a thread reads again only what it
// alone writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/layer_norm_params.h"
#define PARAMS LayerNormParams
#include "backends/vulkan/kernels/step.glsl"
#define ROW_THREADS 32
#include "backends/vulkan/kernels/row_sum.glsl"

void main() {
  const uint lane = gl_LocalInvocationIndex % ROW_THREADS;
  const uint row = WorkgroupIndex() * (WORKGROUP_SIZE / ROW_THREADS) + gl_LocalInvocationIndex / ROW_THREADS;
  const uint end = row < p.rows ? p.c : 0;  // threads without a row only take part in barriers
  const uint x = o.x + row * p.x_ld, y = o.y + row * p.y_ld;
  const bool is_aligned = kVectorWidth == 4;
  float sum = 0.0;
  for (uint c = lane * 4; c < end; c += ROW_THREADS * 4) {
    const vec4 v = ValuesAt(x + c, end - c, is_aligned);
    sum += (v.x + v.y) + (v.z + v.w);
  }
  const float mean = RowSum(sum) / float(p.c);
  float squares = 0.0;
  for (uint c = lane * 4; c < end; c += ROW_THREADS * 4) {
    const vec4 v = ValuesAt(x + c, end - c, is_aligned) - mean;
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      if (c + i < end) squares = fma(v[i], v[i], squares);
    }
  }
  const float deviation = sqrt(RowSum(squares) / float(p.c) + p.epsilon);
  for (uint c = lane * 4; c < end; c += ROW_THREADS * 4) {
    const vec4 v = (ValuesAt(x + c, end - c, is_aligned) - mean) / deviation;
    const vec4 scale = WeightsAt(o.w + c, end - c, is_aligned), shift = WeightsAt(o.bias + c, end - c, is_aligned);
    Store(y + c, fma(v, scale, shift), end - c);
  }
}
