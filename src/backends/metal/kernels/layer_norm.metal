// layer_norm: one group a row. y may be x: a thread reads again only what it alone writes.
#include "backends/metal/kernels/group_sum.metal"
#include "schedule/steps/layer_norm_params.h"

struct LayerNormWords {
  LayerNormParams p;
  PlainOperands o;
};

kernel void layer_norm(constant LayerNormWords& words [[buffer(0)]],
                       device half* halves [[buffer(1)]],
                       device float* floats [[buffer(2)]],
                       device const float* weights [[buffer(4)]],
                       uint row [[threadgroup_position_in_grid]],
                       uint thread_index [[thread_index_in_threadgroup]],
                       uint simd_index [[simdgroup_index_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float of_simdgroup[INKREAD_GROUP_SIMDGROUPS];
  constant LayerNormParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint x = words.o.x + row * p.x_ld, y = words.o.y + row * p.y_ld;
  float sum = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) sum += Load(m, x + c);
  const float mean = GroupSum(sum, of_simdgroup, simd_index, lane) / float(p.c);
  float squares = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) {
    const float difference = Load(m, x + c) - mean;
    squares = fma(difference, difference, squares);
  }
  const float variance = GroupSum(squares, of_simdgroup, simd_index, lane) / float(p.c);
  const float deviation = sqrt(variance + p.epsilon);
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) {
    const float v = (Load(m, x + c) - mean) / deviation;
    Store(m, y + c, fma(v, weights[words.o.w + c], weights[words.o.bias + c]));
  }
}
