#include <cmath>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const LayerNormParams& p, const EpilogueParams&, const HostOperands& o) {
  const float* scale = Values<float>(o.weights[0]);
  const float* shift = Values<float>(o.weights[1]);
  for (uint64_t row = 0; row < p.rows; ++row) {
    const float* x = Values<float>(o.reads[0]) + row * p.x_ld;
    float* y = Values<float>(o.writes[0]) + row * p.y_ld;
    double mean = 0, variance = 0;
    for (uint64_t c = 0; c < p.c; ++c) mean += x[c];
    mean /= p.c;
    for (uint64_t c = 0; c < p.c; ++c) variance += (x[c] - mean) * (x[c] - mean);
    variance /= p.c;
    for (uint64_t c = 0; c < p.c; ++c) {
      const double normal = (x[c] - mean) / std::sqrt(variance + p.epsilon);
      y[c] = static_cast<float>(normal * scale[c] + shift[c]);
    }
  }
}

}  // namespace inkread::reference
