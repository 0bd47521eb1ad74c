#include "backends/reference/kernels.h"

namespace inkread::reference {

void RunStep(const ElementwiseParams& p, const EpilogueParams& epilogue, const HostOperands& o) {
  const uint64_t image_pixels = uint64_t{p.h} * p.w;
  for (uint64_t pixel = 0; pixel < p.n * image_pixels; ++pixel) {
    for (uint64_t c = 0; c < p.c; ++c) {
      o.writes[0][pixel * p.y_ld + c] =
          Epilogue(o.reads[0][pixel * p.x_ld + c], epilogue, o, pixel / image_pixels, pixel, c, p.c);
    }
  }
}

}  // namespace inkread::reference
