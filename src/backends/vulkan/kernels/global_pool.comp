// global_pool in two phases: the sum of each row of the image, then that of all rows. In both a workgroup takes some
// channels, kAcross threads side by side with four each. The other threads take slices of what is summed; the slices'
// sums are added pair by pair.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/global_pool_params.h"
#define PARAMS GlobalPoolParams
#include "backends/vulkan/kernels/step.glsl"

layout(constant_id = INKREAD_CONSTANT_PHASE) const uint kPhase = 0;
layout(constant_id = INKREAD_CONSTANT_THREADS_ACROSS) const uint kAcross = 8;  // a power of two
const uint kSlices = WORKGROUP_SIZE / kAcross;
const uint kAtOnce = 4;  // values of a thread that are loaded before they are added

shared vec4 of_thread[WORKGROUP_SIZE];

// The sum over all slices of this thread's channels.
vec4 Join(vec4 sum) {
  const uint thread = gl_LocalInvocationIndex;
  of_thread[thread] = sum;
  barrier();
  for (uint half_size = kSlices / 2; half_size > 0; half_size /= 2) {
    if (thread / kAcross < half_size) of_thread[thread] += of_thread[thread + half_size * kAcross];
    barrier();
  }
  return of_thread[thread % kAcross];
}

void main() {
  const uint blocks = ((p.c + 3) / 4 + kAcross - 1) / kAcross;
  const uint block = WorkgroupIndex() % blocks, index = WorkgroupIndex() / blocks;  // a row, or an image
  if (index >= (kPhase == 0 ? p.n * p.h : p.n)) return;
  const uint slice = gl_LocalInvocationIndex / kAcross;
  const uint c = (block * kAcross + gl_LocalInvocationIndex % kAcross) * 4;
  const uint count = c < p.c ? min(4, p.c - c) : 0;
  vec4 sum = vec4(0.0);
  if (count > 0 && kPhase == 0) {
    for (uint first = slice; first < p.w; first += kSlices * kAtOnce) {
      vec4 v[kAtOnce];
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) {
        const uint x = first + i * kSlices;
        v[i] = x < p.w ? ValuesAt(o.x + (index * p.w + x) * p.x_ld + c, count, kVectorWidth == 4) : vec4(0.0);
      }
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) sum += v[i];
    }
  } else if (count > 0) {
    for (uint y = slice; y < p.h; y += kSlices) {
      const uint at = o.partial + (index * p.h + y) * p.c + c;
      if (kVectorWidth == 4) {
        sum += floats_by_4[at / 4];
      } else {
        for (uint i = 0; i < count; ++i) sum[i] += floats[at + i];
      }
    }
  }
  sum = Join(sum);
  if (slice != 0 || count == 0) return;
  const uint at = o.partial + index * p.c + c;
  if (kPhase != 0) {
    Store(o.y + index * p.c + c, sum / (float(p.h) * float(p.w)), count);
  } else if (kVectorWidth == 4) {
    floats_out_by_4[at / 4] = sum;
  } else {
    for (uint i = 0; i < count; ++i) floats_out[at + i] = sum[i];
  }
}
