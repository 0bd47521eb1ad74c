#include "backends/gpu/steps/vectors.h"

namespace inkread::gpu {

Work WorkOf(const ElementwiseParams& p, const Step& step, const GpuTarget& target) {
  return VectorWork(uint64_t{p.n} * p.h * p.w * p.c, step, target);
}

}  // namespace inkread::gpu
