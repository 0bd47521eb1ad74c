// squeeze_excite: one group an image. The first layer's sums are cut into kSlices, the second's are a thread each.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/squeeze_excite_params.h"
#define PARAMS SqueezeExciteParams
#include "backends/vulkan/kernels/step.glsl"

const uint kAcross = 32, kSlices = GROUP_SIZE / kAcross;

shared float middle[1024];
shared float of_slice[GROUP_SIZE];

void main() {
  const uint image = GroupIndex();
  if (image >= p.n) return;
  const uint thread = gl_LocalInvocationIndex;
  const uint across = thread % kAcross, slice = thread / kAcross;
  for (uint m0 = 0; m0 < p.mid; m0 += kAcross) {
    const uint m = m0 + across;
    float sum = 0.0;
    if (m < p.mid) {
      for (uint c = slice; c < p.c; c += kSlices) sum = fma(work[o.x + image * p.c + c], weights[o.w + c * p.mid + m], sum);
    }
    of_slice[thread] = sum;
    barrier();
    if (slice == 0 && m < p.mid) {
      for (uint s = 1; s < kSlices; ++s) sum += of_slice[s * kAcross + across];
      middle[m] = max(sum + weights[o.bias + m], 0.0);
    }
    barrier();
  }
  for (uint c = thread; c < p.c; c += GROUP_SIZE) {
    float sum = 0.0;
    for (uint m = 0; m < p.mid; ++m) sum = fma(middle[m], weights[o.w2 + m * p.c + c], sum);
    const float gate = clamp(fma(p.alpha, sum + weights[o.bias2 + c], p.beta), 0.0, 1.0);
    work_out[o.y + image * p.c + c] = gate + (p.add_one != 0 ? 1.0 : 0.0);
  }
}
