#include "backends/gpu/steps/vectors.h"
#include "base/round.h"

namespace inkread::gpu {

Work WorkOf(const LayerNormParams& p, const Step& step, const GpuTarget& target) {
  const uint32_t rows = target.tuning.layer_norm.rows;
  return {.phases = {{VectorVariant{rows == 1 ? 1 : VectorWidthOf(step, target.traits)}, DivideUp(p.rows, rows)}}};
}

}  // namespace inkread::gpu
