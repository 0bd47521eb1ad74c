#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const CopyParams& p, const EpilogueParams&, const HostOperands& o) {
  const auto at = [](const uint(&stride)[5], const uint64_t(&i)[5]) {
    return i[0] * stride[0] + i[1] * stride[1] + i[2] * stride[2] + i[3] * stride[3] + i[4] * stride[4];
  };
  const float* x = Values<float>(o.reads[0]);
  float* y = Values<float>(o.writes[0]);
  uint64_t i[5];
  for (i[0] = 0; i[0] < p.dims[0]; ++i[0]) {
    for (i[1] = 0; i[1] < p.dims[1]; ++i[1]) {
      for (i[2] = 0; i[2] < p.dims[2]; ++i[2]) {
        for (i[3] = 0; i[3] < p.dims[3]; ++i[3]) {
          for (i[4] = 0; i[4] < p.dims[4]; ++i[4]) y[at(p.y_stride, i)] = x[at(p.x_stride, i)];
        }
      }
    }
  }
}

}  // namespace inkread::reference
