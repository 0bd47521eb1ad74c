// pool: a thread makes kVectorWidth channels of a result.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "schedule/steps/pool_params.h"
#define PARAMS PoolParams
#include "backends/vulkan/kernels/step.glsl"

void main() {
  const uint vectors = p.c / kVectorWidth;
  const uint index = WorkgroupIndex() * WORKGROUP_SIZE + gl_LocalInvocationIndex;
  if (index >= p.n * p.oh * p.ow * vectors) return;
  const uint c = index % vectors * kVectorWidth, pixel = index / vectors;
  const uint ox = pixel % p.ow, oy = pixel / p.ow % p.oh, image = pixel / p.ow / p.oh;
  const int y0 = int(oy * p.stride_h) - int(p.pad_top), x0 = int(ox * p.stride_w) - int(p.pad_left);
  vec4 largest = vec4(-3.402823466e38), sum = vec4(0.0);
  uint num_cells = 0;
  for (uint ky = 0; ky < p.kh; ++ky) {
    for (uint kx = 0; kx < p.kw; ++kx) {
      const int y = y0 + int(ky), x = x0 + int(kx);
      const bool is_inside = y >= 0 && y < int(p.ih) && x >= 0 && x < int(p.iw);
      if (!is_inside && p.count_padding == 0) continue;
      vec4 v = vec4(0.0);
      if (is_inside) {
        v = ValuesAt(o.x + ((image * p.ih + uint(y)) * p.iw + uint(x)) * p.x_ld + c);
      }
      largest = max(largest, v);
      sum += v;
      ++num_cells;
    }
  }
  vec4 result = p.mode == INKREAD_POOL_MAX ? largest : sum / float(num_cells);
  if (num_cells == 0) result = vec4(0.0);
  Store(o.y + pixel * p.y_ld + c, result);
}
