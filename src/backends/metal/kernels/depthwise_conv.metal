// depthwise_conv: a thread makes kVectorWidth channels of INKREAD_RUN results along a row, so each weight is loaded
// once for all of them. Every result's sum runs over ky, kx by itself.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/depthwise_conv_params.h"

struct DepthwiseConvArguments {
  DepthwiseConvParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void depthwise_conv(constant DepthwiseConvArguments& args [[buffer(0)]],
                           device half* values_f16 [[buffer(1)]],
                           device float* values_f32 [[buffer(2)]],
                           device const float* weights [[buffer(4)]],
                           uint index [[thread_position_in_grid]]) {
  constant DepthwiseConvParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint per_pixel = p.c / kVectorWidth, runs = (p.ow + INKREAD_RUN - 1) / INKREAD_RUN;
  if (index >= p.n * p.oh * runs * per_pixel) return;
  const uint c = index % per_pixel * kVectorWidth, run = index / per_pixel;
  const uint ox = run % runs * INKREAD_RUN, line = run / runs;  // counted over all images
  const uint oy = line % p.oh, image = line / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * p.stride_w) - int(p.pad_left);
  float4 sums[INKREAD_RUN];
  for (uint i = 0; i < INKREAD_RUN; ++i) sums[i] = float4(0.0f);
  for (uint ky = 0; ky < p.kh; ++ky) {
    const int y = y0 + int(ky);
    if (y < 0 || y >= int(p.ih)) continue;
    const uint from = args.o.x + (image * p.ih + uint(y)) * p.iw * p.x_ld + c;
    for (uint kx = 0; kx < p.kw; ++kx) {
      const float4 w = WeightsSome(m, args.o.w + (ky * p.kw + kx) * p.c + c);
      for (uint i = 0; i < INKREAD_RUN; ++i) {
        const int x = x0 + int(kx + i * p.stride_w);
        if (x >= 0 && x < int(p.iw)) sums[i] = fma(LoadSome(m, from + uint(x) * p.x_ld), w, sums[i]);
      }
    }
  }
  for (uint i = 0; i < INKREAD_RUN; ++i) {
    if (ox + i >= p.ow) return;
    const uint pixel = line * p.ow + ox + i;
    StoreSome(m, args.o.y + pixel * p.y_ld + c,
              FinishSome(sums[i], m, args.e, args.o, image, pixel, c, p.c));
  }
}
