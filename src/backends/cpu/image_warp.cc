// image_warp: threads share out the rows, which the vectors of image/ compute.
#include <vector>

#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "schedule/host_images.h"

namespace inkread::cpu {

void RunStep(const ImageWarpParams& p, const EpilogueParams&, const HostOperands& o, const Context& context) {
  const ImageView image = ImageOf(p, Values<uint8_t>(o.reads[0]));
  const Homography homography = HomographyOf(p);
  const int width = static_cast<int>(p.ow), height = static_cast<int>(p.oh);
  BgrImage crop(width, height);
  uint8_t* y = Values<uint8_t>(o.writes[0]);
  ParallelBlocks(*context.pool, p.oh, size_t{p.ow} * 64, [&](size_t begin, size_t end) {
    WarpRows(image, homography, width, height, static_cast<int>(begin), static_cast<int>(end), crop.pixels.data());
    for (size_t i = begin * p.ow; i < end * p.ow; ++i) {
      for (int c = 0; c < 3; ++c) y[i * 4 + c] = crop.pixels[i * 3 + c];
      y[i * 4 + 3] = 0;
    }
  });
}

}  // namespace inkread::cpu
