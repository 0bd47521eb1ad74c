// elementwise: a thread makes kVectorWidth results. y may be x, or residual: a thread reads its elements before it
// writes them.
#include "backends/metal/kernels/epilogue.metal"
#include "schedule/steps/elementwise_params.h"

struct ElementwiseArguments {
  ElementwiseParams p;
  EpilogueParams e;
  EpilogueOperands o;
};

kernel void elementwise(constant ElementwiseArguments& args [[buffer(0)]],
                        device half* values_f16 [[buffer(1)]],
                        device float* values_f32 [[buffer(2)]],
                        device const float* weights [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  constant ElementwiseParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint per_pixel = p.c / kVectorWidth;
  if (index >= p.n * p.h * p.w * per_pixel) return;
  const uint c = index % per_pixel * kVectorWidth, pixel = index / per_pixel;
  const float4 v = LoadSome(m, args.o.x + pixel * p.x_ld + c);
  StoreSome(m, args.o.y + pixel * p.y_ld + c,
            FinishSome(v, m, args.e, args.o, pixel / (p.h * p.w), pixel, c, p.c));
}
