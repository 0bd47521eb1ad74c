// image_resize: threads share out the rows, which the vectors of image/ compute.
#include <algorithm>

#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "schedule/host_images.h"

namespace inkread::cpu {

void RunStep(const ImageResizeParams& p, const EpilogueParams&, const HostOperands& o, const Context& context) {
  BgrImage turned;
  const ImageView image = Turned(p, ImageOf(p, Values<uint8_t>(o.reads[0])), turned);
  const ResizePlan plan(image.width_px, image.height_px, static_cast<int>(p.ow), static_cast<int>(p.oh));
  const Normalisation normalisation = NormalisationOf(p);
  float* y = Values<float>(o.writes[0]);
  ParallelBlocks(*context.pool, p.oh, size_t{p.y_w} * 8, [&](size_t begin, size_t end) {
    ResizeNormalise(image, plan, normalisation, static_cast<int>(begin), static_cast<int>(end), static_cast<int>(p.y_w),
                    y);
  });
}

}  // namespace inkread::cpu
