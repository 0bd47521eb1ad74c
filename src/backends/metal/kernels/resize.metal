// resize: one thread kWidth results.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/resize_params.h"

struct ResizeWords {
  ResizeParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void resize(constant ResizeWords& words [[buffer(0)]],
                   device half* halves [[buffer(1)]],
                   device float* floats [[buffer(2)]],
                   device const float* weights [[buffer(4)]],
                   uint index [[thread_position_in_grid]]) {
  constant ResizeParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint oh = p.ih * p.scale_h, ow = p.iw * p.scale_w, per_pixel = p.c / kWidth;
  if (index >= p.n * oh * ow * per_pixel) return;
  const uint c = index % per_pixel * kWidth, pixel = index / per_pixel;
  const uint image = pixel / (oh * ow);
  const uint from = (image * p.ih + pixel / ow % oh / p.scale_h) * p.iw + pixel % ow / p.scale_w;
  const float4 v = LoadSome(m, words.o.x + from * p.x_ld + c);
  StoreSome(m, words.o.y + pixel * p.y_ld + c, FinishSome(v, m, words.e, words.o, image, pixel, c, p.c));
}
