// elementwise: one thread kWidth results. y may be x, or residual: a thread reads its elements before it writes them.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/elementwise_params.h"

struct ElementwiseWords {
  ElementwiseParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void elementwise(constant ElementwiseWords& words [[buffer(0)]],
                        device half* halves [[buffer(1)]],
                        device float* floats [[buffer(2)]],
                        device const float* weights [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  constant ElementwiseParams& p = words.p;
  const Memory m = {halves, floats, weights};
  const uint per_pixel = p.c / kWidth;
  if (index >= p.n * p.h * p.w * per_pixel) return;
  const uint c = index % per_pixel * kWidth, pixel = index / per_pixel;
  const float4 v = LoadSome(m, words.o.x + pixel * p.x_ld + c);
  StoreSome(m, words.o.y + pixel * p.y_ld + c,
            FinishSome(v, m, words.e, words.o, pixel / (p.h * p.w), pixel, c, p.c));
}
