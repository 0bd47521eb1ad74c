#include "backends/reference/kernels.h"
#include "schedule/host_images.h"

namespace inkread::reference {

void RunStep(const ImageWarpParams& p, const EpilogueParams&, const HostOperands& o) {
  const BgrImage crop =
      WarpSlowly(ImageOf(p, o.reads[0]), HomographyOf(p), static_cast<int>(p.ow), static_cast<int>(p.oh));
  auto* y = reinterpret_cast<uint8_t*>(o.writes[0]);
  for (uint64_t i = 0; i < uint64_t{p.oh} * p.ow; ++i) {
    for (int c = 0; c < 3; ++c) y[i * 4 + c] = crop.pixels[i * 3 + c];
    y[i * 4 + 3] = 0;
  }
}

}  // namespace inkread::reference
