// global_pool in two phases: a thread sums kVectorWidth channels of a row, then a thread sums the rows of a channel.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/global_pool_params.h"

struct GlobalPoolArguments {
  GlobalPoolParams p;
  PlainOperands o;
};

inline void SumRow(uint index, Memory m, constant GlobalPoolArguments& args) {
  constant GlobalPoolParams& p = args.p;
  const uint per_pixel = p.c / kVectorWidth;
  if (index >= p.n * p.h * per_pixel) return;
  const uint c = index % per_pixel * kVectorWidth, line = index / per_pixel;
  float4 sum = float4(0.0f);
  for (uint x = 0; x < p.w; ++x) sum += LoadSome(m, args.o.x + (line * p.w + x) * p.x_ld + c);
  const uint to = args.o.partial + line * p.c + c;
  m.values_f32[to] = sum.x;
  if (kVectorWidth != 4) return;
  m.values_f32[to + 1] = sum.y;
  m.values_f32[to + 2] = sum.z;
  m.values_f32[to + 3] = sum.w;
}

inline void JoinRows(uint index, Memory m, constant GlobalPoolArguments& args) {
  constant GlobalPoolParams& p = args.p;
  if (index >= p.n * p.c) return;
  const uint c = index % p.c, image = index / p.c;
  float sum = 0.0f;
  for (uint y = 0; y < p.h; ++y) sum += m.values_f32[args.o.partial + (image * p.h + y) * p.c + c];
  Store(m, args.o.y + index, sum / (float(p.h) * float(p.w)));
}

kernel void global_pool(constant GlobalPoolArguments& args [[buffer(0)]],
                        device half* values_f16 [[buffer(1)]],
                        device float* values_f32 [[buffer(2)]],
                        device const float* weights [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  const Memory m = {values_f16, values_f32, weights};
  if (kPhase == 0) {
    SumRow(index, m, args);
  } else {
    JoinRows(index, m, args);
  }
}
