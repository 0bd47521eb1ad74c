// squeeze_excite: one group an image. In both layers threads side by side take four sums each, and every so many threads
// further a slice of their terms.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/squeeze_excite_params.h"
#define PARAMS SqueezeExciteParams
#include "backends/vulkan/kernels/step.glsl"

const uint kAcross = 32, kSlices = GROUP_SIZE / kAcross;

shared float middle[1024];
shared vec4 of_slice[GROUP_SIZE];

// The sum over all slices, for the threads of the first.
vec4 Join(vec4 sum) {
  const uint thread = gl_LocalInvocationIndex;
  of_slice[thread] = sum;
  barrier();
  if (thread < kAcross) {
    [[unroll]] for (uint s = 1; s < kSlices; ++s) sum += of_slice[s * kAcross + thread];
  }
  barrier();
  return sum;
}

void main() {
  const uint image = GroupIndex();
  if (image >= p.n) return;
  const uint across = gl_LocalInvocationIndex % kAcross, slice = gl_LocalInvocationIndex / kAcross;
  const bool middle_lies_in_fours = kWidth == 4 && p.mid % 4 == 0;
  for (uint m0 = 0; m0 < p.mid; m0 += kAcross * 4) {
    const uint m = m0 + across * 4;
    vec4 sum = vec4(0.0);
    if (m < p.mid) {
      for (uint c = slice; c < p.c; c += kSlices) {
        const float x = float(values[o.x + image * p.c + c]);
        sum = fma(vec4(x), WeightsAt(o.w + c * p.mid + m, p.mid - m, middle_lies_in_fours), sum);
      }
    }
    sum = Join(sum);
    if (slice == 0 && m < p.mid) {
      sum = max(sum + WeightsAt(o.bias + m, p.mid - m, middle_lies_in_fours), 0.0);
      for (uint i = 0; i < min(4, p.mid - m); ++i) middle[m + i] = sum[i];
    }
  }
  barrier();
  for (uint c0 = 0; c0 < p.c; c0 += kAcross * 4) {
    const uint c = c0 + across * 4;
    vec4 sum = vec4(0.0);
    if (c < p.c) {
      for (uint m = slice; m < p.mid; m += kSlices) {
        sum = fma(vec4(middle[m]), WeightsAt(o.w2 + m * p.c + c, p.c - c, kWidth == 4), sum);
      }
    }
    sum = Join(sum);
    if (slice == 0 && c < p.c) {
      sum += WeightsAt(o.bias2 + c, p.c - c, kWidth == 4);
      const vec4 gate = clamp(fma(vec4(p.alpha), sum, vec4(p.beta)), 0.0, 1.0);
      Store(o.y + image * p.c + c, gate + (p.add_one != 0 ? 1.0 : 0.0), p.c - c);
    }
  }
}
