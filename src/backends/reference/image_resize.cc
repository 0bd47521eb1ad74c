#include "backends/reference/kernels.h"
#include "schedule/host_images.h"

namespace inkread::reference {

void RunStep(const ImageResizeParams& p, const EpilogueParams&, const HostOperands& o) {
  BgrImage turned;
  const ImageView image = Turned(p, ImageOf(p, Values<uint8_t>(o.reads[0])), turned);
  const BgrImage resized = ResizeImageSlowly(image, static_cast<int>(p.ow), static_cast<int>(p.oh));
  float* results = Values<float>(o.writes[0]);
  const Normalisation normalised = NormalisationOf(p);
  for (uint64_t y = 0; y < p.oh; ++y) {
    for (uint64_t x = 0; x < p.y_w; ++x) {
      for (int c = 0; c < 3; ++c)
        results[(y * p.y_w + x) * 3 + c] = x < p.ow ? normalised(c, resized.row(static_cast<int>(y))[x * 3 + c]) : 0.0f;
    }
  }
}

}  // namespace inkread::reference
