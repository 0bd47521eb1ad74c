#include <algorithm>
#include <vector>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const SqueezeExciteParams& p, const EpilogueParams&, const HostOperands& o) {
  const float *w = Values<float>(o.weights[0]), *bias = Values<float>(o.weights[1]);
  const float *w2 = Values<float>(o.weights[2]), *bias2 = Values<float>(o.weights[3]);
  for (uint64_t b = 0; b < p.n; ++b) {
    const float* x = Values<float>(o.reads[0]) + b * p.c;
    float* y = Values<float>(o.writes[0]) + b * p.c;
    std::vector<double> middle(p.mid);
    for (uint64_t m = 0; m < p.mid; ++m) {
      double sum = 0;
      for (uint64_t c = 0; c < p.c; ++c) sum += double{x[c]} * w[c * p.mid + m];
      middle[m] = std::max(sum + bias[m], 0.0);
    }
    for (uint64_t c = 0; c < p.c; ++c) {
      double sum = 0;
      for (uint64_t m = 0; m < p.mid; ++m) sum += middle[m] * w2[m * p.c + c];
      const double gate = std::clamp(double{p.alpha} * (sum + bias2[c]) + double{p.beta}, 0.0, 1.0);
      y[c] = static_cast<float>(gate + (p.add_one ? 1 : 0));
    }
  }
}

}  // namespace inkread::reference
