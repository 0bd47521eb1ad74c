#include "backends/gpu/steps/matrix.h"

namespace inkread::gpu {

// A row is a result's pixel, a column a channel.
Work WorkOf(const ConvParams& p, const Step& step, const GpuTarget& target) {
  const Product product = {uint64_t{p.n} * p.oh * p.ow, p.oc, p.ic, p.x_ld, p.oc, p.y_ld, IsPointwise(p)};
  return {.phases = {ProductPhase(product, step, target)}, .operands = kEpilogueOperands};
}

}  // namespace inkread::gpu
