// attention: a query of a head is 32 threads', a group takes eight queries of one image and head. The keys are gone
// through twice: for the largest score, then, 32 at a time, for the sums. Scores are made again rather than kept, so that
// any number of keys will do.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/attention_params.h"
#define PARAMS AttentionParams
#include "backends/vulkan/kernels/step.glsl"
#define ROW_THREADS 32
#include "backends/vulkan/kernels/group_sum.glsl"

const uint kKeys = ROW_THREADS, kQueries = GROUP_SIZE / ROW_THREADS;
const uint kMostChannels = 128, kPerThread = kMostChannels / ROW_THREADS;

shared float query[kQueries * kMostChannels];
shared float weight[GROUP_SIZE];

float Score(uint own_query, uint key) {
  float dot_product = 0.0;
  for (uint i = 0; i < p.d; ++i) dot_product = fma(query[own_query + i], float(values[key + i]), dot_product);
  return p.scale * dot_product;
}

void main() {
  const uint blocks = (p.t + kQueries - 1) / kQueries;
  const uint block = GroupIndex() % blocks, head = GroupIndex() / blocks % p.heads, image = GroupIndex() / blocks / p.heads;
  if (image >= p.n) return;
  const uint row = gl_LocalInvocationIndex / ROW_THREADS, lane = gl_LocalInvocationIndex % ROW_THREADS;
  const uint within = block * kQueries + row;
  const bool is_there = within < p.t;  // threads without a query only meet the others
  const uint token = image * p.t + within, own_query = row * kMostChannels;
  if (is_there) {
    for (uint i = lane; i < p.d; i += ROW_THREADS) {
      query[own_query + i] = float(values[o.x + token * p.q_ld + head * p.d + i]);
    }
  }
  barrier();
  const uint keys = o.gate + image * p.t * p.k_ld + head * p.d;
  const uint first_value = o.residual + image * p.t * p.v_ld + head * p.d;
  float largest = -3.402823466e38;
  if (is_there) {
    for (uint j = lane; j < p.t; j += kKeys) largest = max(largest, Score(own_query, keys + j * p.k_ld));
  }
  largest = RowMax(largest);
  float sum = 0.0, results[kPerThread];
  [[unroll]] for (uint i = 0; i < kPerThread; ++i) results[i] = 0.0;
  for (uint j0 = 0; j0 < p.t; j0 += kKeys) {
    const uint count = min(kKeys, p.t - j0);
    if (is_there && lane < count) {
      weight[gl_LocalInvocationIndex] = Exp(Score(own_query, keys + (j0 + lane) * p.k_ld) - largest);
    }
    barrier();
    if (is_there) {
      for (uint j = 0; j < count; ++j) {
        const float w = weight[row * kKeys + j];
        sum += w;
        [[unroll]] for (uint i = 0; i < kPerThread; ++i) {
          const uint channel = lane + i * ROW_THREADS;
          if (channel < p.d) results[i] = fma(w, float(values[first_value + (j0 + j) * p.v_ld + channel]), results[i]);
        }
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
