#include "backends/gpu/steps/vectors.h"

namespace inkread::gpu {

Work WorkOf(const PoolParams& p, const Step& step, const GpuTarget& target) {
  return VectorWork(uint64_t{p.n} * p.oh * p.ow * p.c, step, target);
}

}  // namespace inkread::gpu
