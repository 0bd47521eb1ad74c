// attention: one group a query and head. The keys are gone through twice: for the largest score, then, kKeys at a time,
// for the sums. Scores are made again rather than kept, so that any number of keys will do.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/attention_params.h"
#define PARAMS AttentionParams
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/group_sum.glsl"

const uint kKeys = GROUP_SIZE;

shared float query[128];
shared float weight[kKeys];

float Score(uint key) {
  float dot_product = 0.0;
  for (uint i = 0; i < p.d; ++i) dot_product = fma(query[i], work[key + i], dot_product);
  return p.scale * dot_product;
}

void main() {
  const uint head = GroupIndex() % p.heads, token = GroupIndex() / p.heads;  // counted over all images
  if (token >= p.n * p.t) return;
  const uint thread = gl_LocalInvocationIndex;
  const uint first = token / p.t * p.t;  // the image's first token
  if (thread < p.d) query[thread] = work[o.x + token * p.q_ld + head * p.d + thread];
  barrier();
  const uint keys = o.gate + first * p.k_ld + head * p.d, values = o.residual + first * p.v_ld + head * p.d;
  float largest = -3.402823466e38;
  for (uint j = thread; j < p.t; j += GROUP_SIZE) largest = max(largest, Score(keys + j * p.k_ld));
  largest = GroupMax(largest);
  float sum = 0.0, result = 0.0;
  for (uint j0 = 0; j0 < p.t; j0 += kKeys) {
    const uint count = min(kKeys, p.t - j0);
    if (thread < count) weight[thread] = Exp(Score(keys + (j0 + thread) * p.k_ld) - largest);
    barrier();
    if (thread < p.d) {
      for (uint j = 0; j < count; ++j) {
        sum += weight[j];
        result = fma(weight[j], work[values + (j0 + j) * p.v_ld + thread], result);
      }
    }
    barrier();
  }
  if (thread < p.d) work_out[o.y + token * p.y_ld + head * p.d + thread] = result / sum;
}
