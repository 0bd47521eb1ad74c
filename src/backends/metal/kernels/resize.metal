// resize: a thread makes kVectorWidth results.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/resize_params.h"

struct ResizeArguments {
  ResizeParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void resize(constant ResizeArguments& args [[buffer(0)]],
                   device half* values_f16 [[buffer(1)]],
                   device float* values_f32 [[buffer(2)]],
                   device const float* weights [[buffer(4)]],
                   uint index [[thread_position_in_grid]]) {
  constant ResizeParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint oh = p.ih * p.scale_h, ow = p.iw * p.scale_w, per_pixel = p.c / kVectorWidth;
  if (index >= p.n * oh * ow * per_pixel) return;
  const uint c = index % per_pixel * kVectorWidth, pixel = index / per_pixel;
  const uint image = pixel / (oh * ow);
  const uint from = (image * p.ih + pixel / ow % oh / p.scale_h) * p.iw + pixel % ow / p.scale_w;
  const float4 v = LoadSome(m, args.o.x + from * p.x_ld + c);
  StoreSome(m, args.o.y + pixel * p.y_ld + c, FinishSome(v, m, args.e, args.o, image, pixel, c, p.c));
}
