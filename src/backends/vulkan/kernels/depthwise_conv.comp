// depthwise_conv: one thread a result.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/depthwise_conv_params.h"
#define PARAMS DepthwiseConvParams
#define HAS_EPILOGUE
#include "backends/vulkan/kernels/step.glsl"
#include "backends/vulkan/kernels/epilogue.glsl"

void main() {
  const uint index = GroupIndex() * GROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * p.oh * p.ow * p.c) return;
  const uint c = index % p.c, pixel = index / p.c;
  const uint ox = pixel % p.ow, oy = pixel / p.ow % p.oh, image = pixel / p.ow / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * p.stride_w) - int(p.pad_left);
  float sum = 0.0;
  for (uint ky = 0; ky < p.kh; ++ky) {
    const int y = y0 + int(ky);
    if (y < 0 || y >= int(p.ih)) continue;
    const uint line = (image * p.ih + uint(y)) * p.iw;
    for (uint kx = 0; kx < p.kw; ++kx) {
      const int x = x0 + int(kx);
      if (x < 0 || x >= int(p.iw)) continue;
      sum = fma(work[o.x + (line + uint(x)) * p.x_ld + c], weights[o.w + (ky * p.kw + kx) * p.c + c], sum);
    }
  }
  StoreResult(sum, image, pixel, c, p.c, p.y_ld);
}
