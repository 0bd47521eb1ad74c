// pool: a thread makes kVectorWidth results.
#include "backends/metal/kernels/step.metal"
#include "schedule/steps/pool_params.h"

struct PoolArguments {
  PoolParams p;
  PlainOperands o;
};

kernel void pool(constant PoolArguments& args [[buffer(0)]],
                 device half* values_f16 [[buffer(1)]],
                 device float* values_f32 [[buffer(2)]],
                 device const float* weights [[buffer(4)]],
                 uint index [[thread_position_in_grid]]) {
  constant PoolParams& p = args.p;
  const Memory m = {values_f16, values_f32, weights};
  const uint per_pixel = p.c / kVectorWidth;
  if (index >= p.n * p.oh * p.ow * per_pixel) return;
  const uint c = index % per_pixel * kVectorWidth, pixel = index / per_pixel;
  const uint ox = pixel % p.ow, oy = pixel / p.ow % p.oh, image = pixel / p.ow / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * p.stride_w) - int(p.pad_left);
  float4 largest = float4(-3.402823466e38f), sum = float4(0.0f);
  uint num_cells = 0;
  for (uint ky = 0; ky < p.kh; ++ky) {
    for (uint kx = 0; kx < p.kw; ++kx) {
      const int y = y0 + int(ky), x = x0 + int(kx);
      const bool is_inside = y >= 0 && y < int(p.ih) && x >= 0 && x < int(p.iw);
      if (!is_inside && p.count_padding == 0) continue;
      float4 v = float4(0.0f);
      if (is_inside) v = LoadSome(m, args.o.x + ((image * p.ih + uint(y)) * p.iw + uint(x)) * p.x_ld + c);
      largest = max(largest, v);
      sum += v;
      ++num_cells;
    }
  }
  float4 result = p.mode == INKREAD_POOL_MAX ? largest : sum / float(max(num_cells, 1u));
  if (num_cells == 0) result = float4(0.0f);
  StoreSome(m, args.o.y + pixel * p.y_ld + c, result);
}
