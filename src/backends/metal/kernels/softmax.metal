// softmax: one group a row. y may be x: a thread reads again only what it alone writes.
#include "backends/metal/kernels/group_sum.metal"
#include "schedule/steps/softmax_params.h"

struct SoftmaxWords {
  SoftmaxParams p;
  PlainOperands o;
};

kernel void softmax(constant SoftmaxWords& words [[buffer(0)]],
                    device half* halves [[buffer(1)]],
                    device float* floats [[buffer(2)]],
                    device const float* weights [[buffer(4)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint thread_index [[thread_index_in_threadgroup]],
                    uint simd_index [[simdgroup_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float of_simdgroup[INKREAD_GROUP_SIMDGROUPS];
  constant SoftmaxParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint x = words.o.x + row * p.x_ld, y = words.o.y + row * p.y_ld;
  float largest = -3.402823466e38f;
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) largest = max(largest, Load(m, x + c));
  largest = GroupMax(largest, of_simdgroup, simd_index, lane);
  float sum = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) sum += Exp(Load(m, x + c) - largest);
  sum = GroupSum(sum, of_simdgroup, simd_index, lane);
  for (uint c = thread_index; c < p.c; c += INKREAD_GROUP_SIZE) {
    Store(m, y + c, Exp(Load(m, x + c) - largest) / sum);
  }
}
