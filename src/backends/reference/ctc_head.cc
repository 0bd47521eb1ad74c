#include <cmath>
#include <cstring>
#include <vector>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const CtcHeadParams& p, const EpilogueParams&, const HostOperands& o) {
  // Logits are floats, as in every backend, so that ties are ties here too.
  std::vector<float> logits(p.classes);
  const float* bias = Values<float>(o.weights[1]);
  const PackedMatrix matrix{p.weights_form, p.panel, 1, 1, p.ic};
  for (uint64_t row = 0; row < p.rows; ++row) {
    const float* x = Values<float>(o.reads[0]) + row * p.x_ld;
    float* y = Values<float>(o.writes[0]) + row * 3;
    for (uint64_t c = 0; c < p.classes; ++c) {
      double sum = 0;
      for (uint64_t i = 0; i < p.ic; ++i) {
        sum += Product(p.weights_form, x[i], matrix.At(o.weights[0], c, 0, 0, i));
      }
      logits[c] = static_cast<float>(sum + bias[c]);
    }
    int32_t best = 0;
    for (uint64_t c = 1; c < p.classes; ++c) {
      if (logits[c] > logits[best]) best = static_cast<int32_t>(c);
    }
    float probability = 0;
    if (best != 0) {
      double sum = 0;
      for (float l : logits) sum += std::exp(double{l} - logits[best]);
      probability = static_cast<float>(1 / sum);
    }
    std::memcpy(y, &best, 4);
    y[1] = probability;
    y[2] = std::exp(logits[p.classes - 1] - logits[best]);
  }
}

}  // namespace inkread::reference
