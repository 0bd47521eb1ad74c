#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const GlobalPoolParams& p, const EpilogueParams&, const HostOperands& o) {
  const float* all_x = Values<float>(o.reads[0]);
  float* mean = Values<float>(o.writes[0]);
  float* partial = Values<float>(o.writes[1]);
  for (uint64_t b = 0; b < p.n; ++b) {
    for (uint64_t c = 0; c < p.c; ++c) {
      double sum = 0;
      for (uint64_t y = 0; y < p.h; ++y) {
        double row = 0;
        for (uint64_t x = 0; x < p.w; ++x) row += all_x[((b * p.h + y) * p.w + x) * p.x_ld + c];
        partial[(b * p.h + y) * p.c + c] = static_cast<float>(row);
        sum += row;
      }
      mean[b * p.c + c] = static_cast<float>(sum / (double{1} * p.h * p.w));
    }
  }
}

}  // namespace inkread::reference
