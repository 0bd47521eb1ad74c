#include <algorithm>
#include <cmath>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const SoftmaxParams& p, const EpilogueParams&, const HostOperands& o) {
  for (uint64_t row = 0; row < p.rows; ++row) {
    const float* x = Values<float>(o.reads[0]) + row * p.x_ld;
    float* y = Values<float>(o.writes[0]) + row * p.y_ld;
    const double largest = *std::max_element(x, x + p.c);
    double sum = 0;
    for (uint64_t c = 0; c < p.c; ++c) sum += std::exp(x[c] - largest);
    for (uint64_t c = 0; c < p.c; ++c) y[c] = static_cast<float>(std::exp(x[c] - largest) / sum);
  }
}

}  // namespace inkread::reference
