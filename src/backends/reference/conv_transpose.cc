#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const ConvTransposeParams& p, const EpilogueParams& epilogue, const HostOperands& o) {
  const float* x = Values<float>(o.reads[0]);
  float* y = Values<float>(o.writes[0]);
  const PackedMatrix matrix{p.weights_form, p.panel, 1, 1, p.ic};
  for (uint64_t b = 0; b < p.n; ++b) {
    for (uint64_t iy = 0; iy < p.ih; ++iy) {
      for (uint64_t ix = 0; ix < p.iw; ++ix) {
        for (uint64_t ky = 0; ky < p.kh; ++ky) {
          for (uint64_t kx = 0; kx < p.kw; ++kx) {
            for (uint64_t c = 0; c < p.oc; ++c) {
              const uint64_t column = (ky * p.kw + kx) * p.oc + c;
              double sum = 0;
              for (uint64_t i = 0; i < p.ic; ++i) {
                sum += Product(p.weights_form, x[((b * p.ih + iy) * p.iw + ix) * p.x_ld + i],
                               matrix.At(o.weights[0], column, 0, 0, i));
              }
              // The bias is repeated for each (ky, kx), so its first oc values serve all.
              const uint64_t pixel = ((b * p.ih + iy) * p.kh + ky) * (p.iw * p.kw) + ix * p.kw + kx;
              y[pixel * p.y_ld + c] = Epilogue(sum, epilogue, o, b, pixel, c, p.oc);
            }
          }
        }
      }
    }
  }
}

}  // namespace inkread::reference
