// attention: a threadgroup takes INKREAD_QUERIES queries of a head and image, a simdgroup each. The keys are read
// twice: for the largest score, then, a simdgroup's width at a time, for the sums. Scores are computed again rather
// than kept, so any number of keys will do.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/attention_params.h"

#define INKREAD_MAX_HEAD 128

struct AttentionArguments {
  AttentionParams p;
  PlainOperands o;
};

inline float Score(Memory m, constant AttentionParams& p, threadgroup const float* query, uint key) {
  float dot_product = 0.0f;
  for (uint i = 0; i < p.d; ++i) dot_product = fma(query[i], Load(m, key + i), dot_product);
  return p.scale * dot_product;
}

kernel void attention(constant AttentionArguments& args [[buffer(0)]],
                      device half* values_f16 [[buffer(1)]],
                      device float* values_f32 [[buffer(2)]],
                      device const float* weights [[buffer(4)]],
                      uint threadgroup_index [[threadgroup_position_in_grid]],
                      uint simd_index [[simdgroup_index_in_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float queries[INKREAD_QUERIES * INKREAD_MAX_HEAD];
  threadgroup float weights_of_keys[INKREAD_QUERIES * INKREAD_SIMD_WIDTH];
  constant AttentionParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint blocks = (p.t + INKREAD_QUERIES - 1) / INKREAD_QUERIES;
  const uint t = threadgroup_index % blocks * INKREAD_QUERIES + simd_index;
  const uint head = threadgroup_index / blocks % p.heads, image = threadgroup_index / blocks / p.heads;
  if (t >= p.t || image >= p.n) return;  // the whole simdgroup; they do not wait for one another
  threadgroup float* query = queries + simd_index * INKREAD_MAX_HEAD;
  threadgroup float* weight = weights_of_keys + simd_index * INKREAD_SIMD_WIDTH;
  const uint token = image * p.t + t;
  for (uint i = lane; i < p.d; i += INKREAD_SIMD_WIDTH) query[i] = Load(m, args.o.x + token * p.q_ld + head * p.d + i);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  const uint keys = args.o.k + image * p.t * p.k_ld + head * p.d;
  const uint values = args.o.v + image * p.t * p.v_ld + head * p.d;
  float largest = -3.402823466e38f;
  for (uint j = lane; j < p.t; j += INKREAD_SIMD_WIDTH) largest = max(largest, Score(m, p, query, keys + j * p.k_ld));
  largest = simd_max(largest);
  float sum = 0.0f;
  float results[INKREAD_MAX_HEAD / INKREAD_SIMD_WIDTH] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (uint j0 = 0; j0 < p.t; j0 += INKREAD_SIMD_WIDTH) {
    const uint count = min(uint(INKREAD_SIMD_WIDTH), p.t - j0);
    if (lane < count) weight[lane] = Exp(Score(m, p, query, keys + (j0 + lane) * p.k_ld) - largest);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < count; ++j) sum += weight[j];
    for (uint part = 0; part < INKREAD_MAX_HEAD / INKREAD_SIMD_WIDTH; ++part) {
      const uint i = part * INKREAD_SIMD_WIDTH + lane;
      if (i >= p.d) break;
      for (uint j = 0; j < count; ++j) {
        results[part] = fma(weight[j], Load(m, values + (j0 + j) * p.v_ld + i), results[part]);
      }
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (uint part = 0; part < INKREAD_MAX_HEAD / INKREAD_SIMD_WIDTH; ++part) {
    const uint i = part * INKREAD_SIMD_WIDTH + lane;
    if (i < p.d) Store(m, args.o.y + token * p.y_ld + head * p.d + i, results[part] / sum);
  }
}
