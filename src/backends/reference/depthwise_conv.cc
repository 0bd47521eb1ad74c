#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const DepthwiseConvParams& p, const EpilogueParams& epilogue, const HostOperands& o) {
  const float* x = Values<float>(o.reads[0]);
  const float* w = Values<float>(o.weights[0]);
  float* y = Values<float>(o.writes[0]);
  for (uint64_t b = 0; b < p.n; ++b) {
    for (uint64_t oy = 0; oy < p.oh; ++oy) {
      for (uint64_t ox = 0; ox < p.ow; ++ox) {
        for (uint64_t c = 0; c < p.c; ++c) {
          double sum = 0;
          for (uint64_t ky = 0; ky < p.kh; ++ky) {
            for (uint64_t kx = 0; kx < p.kw; ++kx) {
              const int64_t iy = int64_t(oy * p.stride_h + ky) - p.pad_top;
              const int64_t ix = int64_t(ox * p.stride_w + kx) - p.pad_left;
              if (iy < 0 || iy >= p.ih || ix < 0 || ix >= p.iw) continue;
              sum += double{x[((b * p.ih + iy) * p.iw + ix) * p.x_ld + c]} * w[(ky * p.kw + kx) * p.c + c];
            }
          }
          const uint64_t pixel = (b * p.oh + oy) * p.ow + ox;
          y[pixel * p.y_ld + c] = Epilogue(sum, epilogue, o, b, pixel, c, p.c);
        }
      }
    }
  }
}

}  // namespace inkread::reference
