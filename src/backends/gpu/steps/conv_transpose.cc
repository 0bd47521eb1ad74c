#include "backends/gpu/steps/matrix.h"

namespace inkread::gpu {

// A row is a pixel of x, a column one channel of one of the results that come of it.
Work WorkOf(const ConvTransposeParams& p, const Step& step, const GpuTarget& target) {
  const Product product = {uint64_t{p.n} * p.ih * p.iw, uint64_t{p.kh} * p.kw * p.oc, p.ic, p.x_ld, p.oc, p.y_ld};
  return {.phases = {ProductPhase(product, step, target)}, .operands = kEpilogueOperands};
}

}  // namespace inkread::gpu
