#include <algorithm>
#include <vector>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const SqueezeExciteParams& p, const EpilogueParams&, const HostOperands& o) {
  for (uint64_t b = 0; b < p.n; ++b) {
    const float* x = o.reads[0] + b * p.c;
    float* y = o.writes[0] + b * p.c;
    std::vector<double> middle(p.mid);
    for (uint64_t m = 0; m < p.mid; ++m) {
      double sum = 0;
      for (uint64_t c = 0; c < p.c; ++c) sum += double{x[c]} * o.weights[0][c * p.mid + m];
      middle[m] = std::max(sum + o.weights[1][m], 0.0);
    }
    for (uint64_t c = 0; c < p.c; ++c) {
      double sum = 0;
      for (uint64_t m = 0; m < p.mid; ++m) sum += middle[m] * o.weights[2][m * p.c + c];
      const double gate = std::clamp(double{p.alpha} * (sum + o.weights[3][c]) + double{p.beta}, 0.0, 1.0);
      y[c] = static_cast<float>(gate + (p.add_one ? 1 : 0));
    }
  }
}

}  // namespace inkread::reference
