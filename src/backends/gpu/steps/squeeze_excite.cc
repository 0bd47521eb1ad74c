#include "backends/gpu/steps/vectors.h"
#include "base/round.h"

namespace inkread::gpu {

// One workgroup an image where there is little to do. Otherwise a layer a phase, of which a workgroup makes some
// columns; the layer between lies in scratch.
Work WorkOf(const SqueezeExciteParams& p, const Step& step, const GpuTarget& target) {
  const SqueezeExciteTuning& tuning = target.tuning.squeeze_excite;
  const uint32_t width = tuning.uses_vectors ? VectorWidthOf(step, target.traits) : 1;
  if (tuning.columns == 0 || uint64_t{p.c} * p.mid <= tuning.max_single_workgroup_weights)
    return {.phases = {{SqueezeExciteVariant{.vector_width = width}, p.n}}};
  return {.phases = {{SqueezeExciteVariant{width, 0, tuning.columns}, p.n * DivideUp(p.mid, tuning.columns)},
                     {SqueezeExciteVariant{width, 1, tuning.columns}, p.n * DivideUp(p.c, tuning.columns)}},
          .operands = kPlainOperands,
          .scratch_words = uint64_t{p.n} * p.mid};
}

}  // namespace inkread::gpu
