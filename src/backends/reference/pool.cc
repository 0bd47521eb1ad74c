#include <algorithm>
#include <limits>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const PoolParams& p, const EpilogueParams&, const HostOperands& o) {
  const float* x = Values<float>(o.reads[0]);
  float* y = Values<float>(o.writes[0]);
  for (uint64_t b = 0; b < p.n; ++b) {
    for (uint64_t oy = 0; oy < p.oh; ++oy) {
      for (uint64_t ox = 0; ox < p.ow; ++ox) {
        for (uint64_t c = 0; c < p.c; ++c) {
          float largest = -std::numeric_limits<float>::infinity();
          double sum = 0;
          int cells = 0;
          for (uint64_t ky = 0; ky < p.kh; ++ky) {
            for (uint64_t kx = 0; kx < p.kw; ++kx) {
              const int64_t iy = int64_t(oy * p.stride_h + ky) - p.pad_top;
              const int64_t ix = int64_t(ox * p.stride_w + kx) - p.pad_left;
              const bool inside = iy >= 0 && iy < p.ih && ix >= 0 && ix < p.iw;
              if (!inside && !p.count_padding) continue;
              const float v = inside ? x[((b * p.ih + iy) * p.iw + ix) * p.x_ld + c] : 0.0f;
              largest = std::max(largest, v);
              sum += v;
              ++cells;
            }
          }
          const float result = cells == 0 ? 0 : p.mode == INKREAD_POOL_MAX ? largest : static_cast<float>(sum / cells);
          y[((b * p.oh + oy) * p.ow + ox) * p.y_ld + c] = result;
        }
      }
    }
  }
}

}  // namespace inkread::reference
