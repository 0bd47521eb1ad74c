#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const AttentionParams& p, const EpilogueParams&, const HostOperands& o) {
  const float* all_q = Values<float>(o.reads[0]);
  const float* all_k = Values<float>(o.reads[1]);
  const float* all_v = Values<float>(o.reads[2]);
  float* all_y = Values<float>(o.writes[0]);
  std::vector<double> e(p.t);
  for (uint64_t b = 0; b < p.n; ++b) {
    for (uint64_t head = 0; head < p.heads; ++head) {
      for (uint64_t query = 0; query < p.t; ++query) {
        const float* q = all_q + (b * p.t + query) * p.q_ld + head * p.d;
        for (uint64_t j = 0; j < p.t; ++j) {
          const float* k = all_k + (b * p.t + j) * p.k_ld + head * p.d;
          double dot = 0;
          for (uint64_t i = 0; i < p.d; ++i) dot += double{q[i]} * k[i];
          e[j] = p.scale * dot;
        }
        const double largest = *std::max_element(e.begin(), e.end());
        double sum = 0;
        for (double& v : e) sum += v = std::exp(v - largest);
        for (uint64_t i = 0; i < p.d; ++i) {
          double y = 0;
          for (uint64_t j = 0; j < p.t; ++j) y += e[j] * all_v[(b * p.t + j) * p.v_ld + head * p.d + i];
          all_y[(b * p.t + query) * p.y_ld + head * p.d + i] = static_cast<float>(y / sum);
        }
      }
    }
  }
}

}  // namespace inkread::reference
