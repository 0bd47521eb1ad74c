#include "backends/gpu/steps/image.h"

namespace inkread::gpu {

Work WorkOf(const ImageResizeParams& p, const Step& step, const GpuTarget& target) {
  return PixelWork(uint64_t{p.oh} * p.y_w, step, target);
}

}  // namespace inkread::gpu
