// squeeze_excite: a workgroup makes both layers of an image, or in two phases some columns of one layer. In both ways
// kAcross threads side by side take four sums each and the other threads slices of their terms, so the order of a sum
// is the same.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/squeeze_excite_params.h"
#define PARAMS SqueezeExciteParams
#include "backends/vulkan/kernels/step.glsl"

layout(constant_id = INKREAD_CONSTANT_PHASE) const uint kPhase = 0;
layout(constant_id = INKREAD_CONSTANT_COLUMNS) const uint kColumns = 0;  // 0: a workgroup makes both layers of an image

const uint kAcross = 8, kSlices = WORKGROUP_SIZE / kAcross;
const uint kAtOnce = 4;  // terms of a thread that are loaded before they are added
const uint kTogether = kAcross * 4;  // columns; kColumns is a multiple

shared float middle[1024];
shared vec4 of_slice[WORKGROUP_SIZE];

// The sum over all slices, pair by pair, for the threads of the first.
vec4 Join(vec4 sum) {
  const uint thread = gl_LocalInvocationIndex;
  of_slice[thread] = sum;
  barrier();
  for (uint half_size = kSlices / 2; half_size > 0; half_size /= 2) {
    if (thread < half_size * kAcross) of_slice[thread] += of_slice[thread + half_size * kAcross];
    barrier();
  }
  sum = of_slice[thread % kAcross];
  barrier();
  return sum;
}

// Columns [m0, m0 + kTogether) of the first layer, for the threads of the first slice.
vec4 FirstLayer(uint image, uint m0, bool is_aligned) {
  const uint m = m0 + gl_LocalInvocationIndex % kAcross * 4;
  vec4 sum = vec4(0.0);
  if (m < p.mid) {
    for (uint first = gl_LocalInvocationIndex / kAcross; first < p.c; first += kSlices * kAtOnce) {
      float x[kAtOnce];
      vec4 w[kAtOnce];
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) {
        const uint c = first + i * kSlices;
        x[i] = c < p.c ? float(values[o.x + image * p.c + c]) : 0.0;
        w[i] = c < p.c ? WeightsAt(o.w + c * p.mid + m, p.mid - m, is_aligned) : vec4(0.0);
      }
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) sum = fma(vec4(x[i]), w[i], sum);
    }
  }
  sum = Join(sum);
  return m < p.mid ? max(sum + WeightsAt(o.bias + m, p.mid - m, is_aligned), 0.0) : sum;
}

// Columns [c0, c0 + kTogether) of the second layer, stored. `middle` has the first layer's results.
void SecondLayer(uint image, uint c0) {
  const uint c = c0 + gl_LocalInvocationIndex % kAcross * 4;
  vec4 sum = vec4(0.0);
  if (c < p.c) {
    for (uint first = gl_LocalInvocationIndex / kAcross; first < p.mid; first += kSlices * kAtOnce) {
      vec4 w[kAtOnce];
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) {
        const uint m = first + i * kSlices;
        w[i] = m < p.mid ? WeightsAt(o.w2 + m * p.c + c, p.c - c, kVectorWidth == 4) : vec4(0.0);
      }
      [[unroll]] for (uint i = 0; i < kAtOnce; ++i) {
        if (first + i * kSlices < p.mid) sum = fma(vec4(middle[first + i * kSlices]), w[i], sum);
      }
    }
  }
  sum = Join(sum);
  if (gl_LocalInvocationIndex >= kAcross || c >= p.c) return;
  sum += WeightsAt(o.bias2 + c, p.c - c, kVectorWidth == 4);
  const vec4 gate = clamp(fma(vec4(p.alpha), sum, vec4(p.beta)), 0.0, 1.0) + (p.add_one != 0 ? 1.0 : 0.0);
  const uint at = o.y + image * p.c + c;
  if (kVectorWidth == 4) {
    values_out_by_4[at / 4] = VALUES4(gate);
  } else {
    for (uint i = 0; i < min(4, p.c - c); ++i) values_out[at + i] = VALUE(gate[i]);
  }
}

void main() {
  const bool middle_is_aligned = kVectorWidth == 4 && p.mid % 4 == 0;
  const uint lane = gl_LocalInvocationIndex % kAcross;
  if (kColumns == 0) {
    const uint image = WorkgroupIndex();
    if (image >= p.n) return;
    for (uint m0 = 0; m0 < p.mid; m0 += kTogether) {
      const vec4 v = FirstLayer(image, m0, middle_is_aligned);
      if (gl_LocalInvocationIndex < kAcross) {
        [[unroll]] for (uint i = 0; i < 4; ++i) {
          if (m0 + lane * 4 + i < p.mid) middle[m0 + lane * 4 + i] = v[i];
        }
      }
    }
    barrier();
    for (uint c0 = 0; c0 < p.c; c0 += kTogether) SecondLayer(image, c0);
    return;
  }
  const uint columns = kPhase == 0 ? p.mid : p.c;
  const uint blocks = (columns + kColumns - 1) / kColumns;
  const uint image = WorkgroupIndex() / blocks, first = WorkgroupIndex() % blocks * kColumns;
  if (image >= p.n) return;
  const uint end = min(columns, first + kColumns);
  if (kPhase == 0) {
    for (uint m0 = first; m0 < end; m0 += kTogether) {
      const vec4 v = FirstLayer(image, m0, middle_is_aligned);
      if (gl_LocalInvocationIndex < kAcross) {
        [[unroll]] for (uint i = 0; i < 4; ++i) {
          if (m0 + lane * 4 + i < p.mid) floats_out[o.partial + image * p.mid + m0 + lane * 4 + i] = v[i];
        }
      }
    }
    return;
  }
  for (uint m = gl_LocalInvocationIndex; m < p.mid; m += WORKGROUP_SIZE) {
    middle[m] = floats[o.partial + image * p.mid + m];
  }
  barrier();
  for (uint c0 = first; c0 < end; c0 += kTogether) SecondLayer(image, c0);
}
