// softmax: a threadgroup takes a row. y may be x: a thread reads again only what it alone writes.
#include "backends/metal/kernels/threadgroup_sum.metal"
#include "schedule/steps/softmax_params.h"

struct SoftmaxArguments {
  SoftmaxParams p;
  PlainOperands o;
};

kernel void softmax(constant SoftmaxArguments& args [[buffer(0)]],
                    device half* values_f16 [[buffer(1)]],
                    device float* values_f32 [[buffer(2)]],
                    device const float* weights [[buffer(4)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint thread_index [[thread_index_in_threadgroup]],
                    uint simd_index [[simdgroup_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float of_simdgroup[INKREAD_SIMDGROUPS];
  constant SoftmaxParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint x = args.o.x + row * p.x_ld, y = args.o.y + row * p.y_ld;
  float largest = -3.402823466e38f;
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) largest = max(largest, Load(m, x + c));
  largest = ThreadgroupMax(largest, of_simdgroup, simd_index, lane);
  float sum = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) sum += Exp(Load(m, x + c) - largest);
  sum = ThreadgroupSum(sum, of_simdgroup, simd_index, lane);
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) {
    Store(m, y + c, Exp(Load(m, x + c) - largest) / sum);
  }
}
