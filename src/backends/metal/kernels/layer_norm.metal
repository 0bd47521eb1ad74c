// layer_norm: a threadgroup takes a row. y may be x: a thread reads again only what it alone writes.
#include "backends/metal/kernels/threadgroup_sum.metal"
#include "schedule/steps/layer_norm_params.h"

struct LayerNormArguments {
  LayerNormParams p;
  PlainOperands o;
};

kernel void layer_norm(constant LayerNormArguments& args [[buffer(0)]],
                       device half* values_f16 [[buffer(1)]],
                       device float* values_f32 [[buffer(2)]],
                       device const float* weights [[buffer(4)]],
                       uint row [[threadgroup_position_in_grid]],
                       uint thread_index [[thread_index_in_threadgroup]],
                       uint simd_index [[simdgroup_index_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float of_simdgroup[INKREAD_SIMDGROUPS];
  constant LayerNormParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint x = args.o.x + row * p.x_ld, y = args.o.y + row * p.y_ld;
  float sum = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) sum += Load(m, x + c);
  const float mean = ThreadgroupSum(sum, of_simdgroup, simd_index, lane) / float(p.c);
  float squares = 0.0f;
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) {
    const float difference = Load(m, x + c) - mean;
    squares = fma(difference, difference, squares);
  }
  const float variance = ThreadgroupSum(squares, of_simdgroup, simd_index, lane) / float(p.c);
  const float deviation = sqrt(variance + p.epsilon);
  for (uint c = thread_index; c < p.c; c += INKREAD_THREADGROUP_SIZE) {
    const float v = (Load(m, x + c) - mean) / deviation;
    Store(m, y + c, fma(v, weights[args.o.w + c], weights[args.o.bias + c]));
  }
}
