#include "backends/gpu/steps/vectors.h"

namespace inkread::gpu {

Work WorkOf(const ResizeParams& p, const Step& step, const GpuTarget& target) {
  return VectorWork(uint64_t{p.n} * p.ih * p.scale_h * p.iw * p.scale_w * p.c, step, target);
}

}  // namespace inkread::gpu
