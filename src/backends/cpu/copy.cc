// copy: no arithmetic, so no vector code; whole runs where both sides lie dense.
#include <cstring>

#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"

namespace inkread::cpu {

void RunStep(const CopyParams& p, const EpilogueParams&, const HostOperands& o, const Context& context) {
  const size_t rows = size_t{p.dims[0]} * p.dims[1] * p.dims[2] * p.dims[3];
  const size_t length = p.dims[4];
  if (rows == 0 || length == 0) return;
  ParallelBlocks(*context.pool, rows, length, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float* x = o.reads[0];
      float* y = o.writes[0];
      size_t rest = row;
      for (int i = 3; i >= 0; --i) {
        const size_t index = rest % p.dims[i];
        rest /= p.dims[i];
        x += index * p.x_stride[i];
        y += index * p.y_stride[i];
      }
      if (p.x_stride[4] == 1 && p.y_stride[4] == 1) {
        std::memcpy(y, x, length * sizeof(float));
      } else {
        for (size_t i = 0; i < length; ++i) y[i * p.y_stride[4]] = x[i * p.x_stride[4]];
      }
    }
  });
}

}  // namespace inkread::cpu
