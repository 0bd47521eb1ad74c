// global_pool in two phases: one thread the sums of kWidth channels of a row, then one thread a channel's.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/global_pool_params.h"

struct GlobalPoolWords {
  GlobalPoolParams p;
  PlainOperands o;
};

inline void SumRow(uint index, Memory m, constant GlobalPoolWords& words) {
  constant GlobalPoolParams& p = words.p;
  const uint per_pixel = p.c / kWidth;
  if (index >= p.n * p.h * per_pixel) return;
  const uint c = index % per_pixel * kWidth, line = index / per_pixel;
  float4 sum = float4(0.0f);
  for (uint x = 0; x < p.w; ++x) sum += LoadSome(m, words.o.x + (line * p.w + x) * p.x_ld + c);
  const uint to = words.o.partial + line * p.c + c;
  m.floats[to] = sum.x;
  if (kWidth != 4) return;
  m.floats[to + 1] = sum.y;
  m.floats[to + 2] = sum.z;
  m.floats[to + 3] = sum.w;
}

inline void JoinRows(uint index, Memory m, constant GlobalPoolWords& words) {
  constant GlobalPoolParams& p = words.p;
  if (index >= p.n * p.c) return;
  const uint c = index % p.c, image = index / p.c;
  float sum = 0.0f;
  for (uint y = 0; y < p.h; ++y) sum += m.floats[words.o.partial + (image * p.h + y) * p.c + c];
  Store(m, words.o.y + index, sum / (float(p.h) * float(p.w)));
}

kernel void global_pool(constant GlobalPoolWords& words [[buffer(0)]],
                        device half* halves [[buffer(1)]],
                        device float* floats [[buffer(2)]],
                        device const float* weights [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  const Memory m = {halves, floats, weights};
  if (kPhase == 0) {
    SumRow(index, m, words);
  } else {
    JoinRows(index, m, words);
  }
}
