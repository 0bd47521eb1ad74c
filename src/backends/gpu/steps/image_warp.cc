#include "backends/gpu/steps/image.h"

namespace inkread::gpu {

Work WorkOf(const ImageWarpParams& p, const Step& step, const GpuTarget& target) {
  return PixelWork(uint64_t{p.oh} * p.ow, step, target);
}

}  // namespace inkread::gpu
