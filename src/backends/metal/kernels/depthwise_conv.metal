// depthwise_conv: one thread kWidth channels of INKREAD_RUN results along a row, so that each weight is loaded once for
// all of them. Every result's sum runs over ky, kx by itself.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/depthwise_conv_params.h"

struct DepthwiseConvWords {
  DepthwiseConvParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void depthwise_conv(constant DepthwiseConvWords& words [[buffer(0)]],
                           device half* halves [[buffer(1)]],
                           device float* floats [[buffer(2)]],
                           device const float* weights [[buffer(4)]],
                           uint index [[thread_position_in_grid]]) {
  constant DepthwiseConvParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint per_pixel = p.c / kWidth, runs = (p.ow + INKREAD_RUN - 1) / INKREAD_RUN;
  if (index >= p.n * p.oh * runs * per_pixel) return;
  const uint c = index % per_pixel * kWidth, run = index / per_pixel;
  const uint ox = run % runs * INKREAD_RUN, line = run / runs;  // counted over all images
  const uint oy = line % p.oh, image = line / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * p.stride_w) - int(p.pad_left);
  float4 sums[INKREAD_RUN];
  for (uint i = 0; i < INKREAD_RUN; ++i) sums[i] = float4(0.0f);
  for (uint ky = 0; ky < p.kh; ++ky) {
    const int y = y0 + int(ky);
    if (y < 0 || y >= int(p.ih)) continue;
    const uint from = words.o.x + (image * p.ih + uint(y)) * p.iw * p.x_ld + c;
    for (uint kx = 0; kx < p.kw; ++kx) {
      const float4 w = WeightsSome(m, words.o.w + (ky * p.kw + kx) * p.c + c);
      for (uint i = 0; i < INKREAD_RUN; ++i) {
        const int x = x0 + int(kx + i * p.stride_w);
        if (x >= 0 && x < int(p.iw)) sums[i] = fma(LoadSome(m, from + uint(x) * p.x_ld), w, sums[i]);
      }
    }
  }
  for (uint i = 0; i < INKREAD_RUN; ++i) {
    if (ox + i >= p.ow) return;
    const uint pixel = line * p.ow + ox + i;
    StoreSome(m, words.o.y + pixel * p.y_ld + c,
              FinishSome(sums[i], m, words.e, words.o, image, pixel, c, p.c));
  }
}
