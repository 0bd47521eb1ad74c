// depthwise_conv: a thread makes kVectorWidth channels of kPixels results side by side, so most values are loaded once
// for several of them. Each sum is one chain in the order of the window, whatever kPixels is.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/depthwise_conv_params.h"
#define PARAMS DepthwiseConvParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

layout(constant_id = INKREAD_CONSTANT_KW) const uint kTaps = 3;
layout(constant_id = INKREAD_CONSTANT_STRIDE_W) const uint kStride = 1;
layout(constant_id = INKREAD_CONSTANT_RUN) const uint kPixels = 1;

vec4 sums[kPixels];

// Adds a row of the window. Values outside x count as 0, so that no load waits for a branch.
void AddRow(uint ky, int y, uint image_row, int x0, uint c) {
  const bool has_row = y >= 0 && y < int(p.ih);
  const uint row = o.x + (image_row + uint(y)) * p.iw * p.x_ld + c;
  vec4 w[kTaps];
  [[unroll]] for (uint kx = 0; kx < kTaps; ++kx) w[kx] = WeightsAt(o.w + (ky * kTaps + kx) * p.c + c);
  [[unroll]] for (uint i = 0; i < (kPixels - 1) * kStride + kTaps; ++i) {
    const int x = x0 + int(i);
    vec4 v = vec4(0.0);
    if (has_row && x >= 0 && x < int(p.iw)) v = ValuesAt(row + uint(x) * p.x_ld);
    [[unroll]] for (uint pixel = 0; pixel < kPixels; ++pixel) {
      const uint kx = i - pixel * kStride;  // passes kTaps where it would be negative
      if (kx < kTaps) sums[pixel] = fma(v, w[kx], sums[pixel]);
    }
  }
}

void main() {
  const uint vectors = p.c / kVectorWidth, spans = (p.ow + kPixels - 1) / kPixels;
  const uint index = WorkgroupIndex() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * p.oh * spans * vectors) return;
  const uint c = index % vectors * kVectorWidth, line = index / vectors / spans;
  const uint ox = index / vectors % spans * kPixels, oy = line % p.oh, image = line / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * kStride) - int(p.pad_left);
  [[unroll]] for (uint i = 0; i < kPixels; ++i) sums[i] = vec4(0.0);
  if (kTaps == 3 && p.kh == 3) {  // all loads of a small window at once
    [[unroll]] for (uint ky = 0; ky < 3; ++ky) AddRow(ky, y0 + int(ky), image * p.ih, x0, c);
  } else {
    for (uint ky = 0; ky < p.kh; ++ky) AddRow(ky, y0 + int(ky), image * p.ih, x0, c);
  }
  [[unroll]] for (uint i = 0; i < kPixels; ++i) {
    if (ox + i < p.ow) StoreResults(sums[i], image, line * p.ow + ox + i, c, p.c, p.y_ld);
  }
}
