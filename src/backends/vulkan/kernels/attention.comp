// attention: a workgroup takes eight queries of one image and head, 32 threads a query. The keys are read twice, 32 at
// a time through shared memory: for the largest score, then for the sums. Scores are computed again rather than kept,
// so any number of keys will do.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/attention_params.h"
#define PARAMS AttentionParams
#include "backends/vulkan/kernels/step.glsl"
#define ROW_THREADS 32
#include "backends/vulkan/kernels/row_sum.glsl"

const uint kKeys = ROW_THREADS, kQueries = WORKGROUP_SIZE / ROW_THREADS;
const uint kMaxChannels = 128, kPerThread = kMaxChannels / ROW_THREADS;
const uint kChannelsAtOnce = 32;
const uint kStride = kChannelsAtOnce + 1;  // odd, so that threads of different keys use different banks

shared float query[kQueries * kMaxChannels];
shared float weight[WORKGROUP_SIZE];
shared float of_keys[kKeys * kStride];

// Loads channels [c0, c0 + kChannelsAtOnce) of keys, or values, [j0, j0 + kKeys) into of_keys.
void Load(uint start, uint ld, uint j0, uint c0) {
  barrier();  // until all threads have read what was there
  for (uint i = gl_LocalInvocationIndex; i < kKeys * kChannelsAtOnce; i += WORKGROUP_SIZE) {
    const uint j = i / kChannelsAtOnce, c = i % kChannelsAtOnce;
    const bool is_there = j0 + j < p.t && c0 + c < p.d;
    of_keys[j * kStride + c] = is_there ? float(values[start + (j0 + j) * ld + c0 + c]) : 0.0;
  }
  barrier();
}

// The score of this thread's query and key j0 + lane.
float ScoreOf(uint keys, uint j0, uint own_query) {
  float dot_product = 0.0;
  for (uint c0 = 0; c0 < p.d; c0 += kChannelsAtOnce) {
    Load(keys, p.k_ld, j0, c0);
    const uint key = gl_LocalInvocationIndex % ROW_THREADS * kStride;
    for (uint c = 0; c < min(kChannelsAtOnce, p.d - c0); ++c) {
      dot_product = fma(query[own_query + c0 + c], of_keys[key + c], dot_product);
    }
  }
  return p.scale * dot_product;
}

void main() {
  const uint blocks = (p.t + kQueries - 1) / kQueries;
  const uint block = WorkgroupIndex() % blocks;
  const uint head = WorkgroupIndex() / blocks % p.heads, image = WorkgroupIndex() / blocks / p.heads;
  if (image >= p.n) return;
  const uint row = gl_LocalInvocationIndex / ROW_THREADS, lane = gl_LocalInvocationIndex % ROW_THREADS;
  const uint within = block * kQueries + row;
  const bool is_there = within < p.t;  // threads without a query only take part in barriers
  const uint token = image * p.t + within, own_query = row * kMaxChannels;
  for (uint i = lane; i < p.d; i += ROW_THREADS) {
    query[own_query + i] = is_there ? float(values[o.x + token * p.q_ld + head * p.d + i]) : 0.0;
  }
  const uint keys = o.gate + image * p.t * p.k_ld + head * p.d;
  const uint first_value = o.residual + image * p.t * p.v_ld + head * p.d;
  const float kNone = -3.402823466e38;
  float largest = kNone;
  for (uint j0 = 0; j0 < p.t; j0 += kKeys) {
    const float score = ScoreOf(keys, j0, own_query);
    largest = max(largest, j0 + lane < p.t ? score : kNone);
  }
  largest = RowMax(largest);
  float sum = 0.0, results[kPerThread];
  [[unroll]] for (uint i = 0; i < kPerThread; ++i) results[i] = 0.0;
  for (uint j0 = 0; j0 < p.t; j0 += kKeys) {
    const uint count = min(kKeys, p.t - j0);
    weight[gl_LocalInvocationIndex] = Exp(ScoreOf(keys, j0, own_query) - largest);
    barrier();
    for (uint j = 0; j < count; ++j) sum += weight[row * kKeys + j];
    [[unroll]] for (uint i = 0; i < kPerThread; ++i) {
      if (i * kChannelsAtOnce >= p.d) break;
      Load(first_value, p.v_ld, j0, i * kChannelsAtOnce);
      for (uint j = 0; j < count; ++j) {
        results[i] = fma(weight[row * kKeys + j], of_keys[j * kStride + lane], results[i]);
      }
    }
    barrier();
  }
  if (!is_there) return;
  [[unroll]] for (uint i = 0; i < kPerThread; ++i) {
    const uint channel = lane + i * ROW_THREADS;
    if (channel < p.d) values_out[o.y + token * p.y_ld + head * p.d + channel] = VALUE(results[i] / sum);
  }
}
