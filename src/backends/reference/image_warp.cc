#include "backends/reference/kernels.h"
#include "schedule/host_images.h"

namespace inkread::reference {

void RunStep(const ImageWarpParams& p, const EpilogueParams&, const HostOperands& o) {
  const ImageView image = ImageOf(p, Values<uint8_t>(o.reads[0]));
  const BgrImage crop = WarpSlowly(image, HomographyOf(p), static_cast<int>(p.ow), static_cast<int>(p.oh));
  uint8_t* y = Values<uint8_t>(o.writes[0]);
  for (uint64_t i = 0; i < uint64_t{p.oh} * p.ow; ++i) {
    for (int c = 0; c < 3; ++c) y[i * 4 + c] = crop.pixels[i * 3 + c];
    y[i * 4 + 3] = 0;
  }
}

}  // namespace inkread::reference
