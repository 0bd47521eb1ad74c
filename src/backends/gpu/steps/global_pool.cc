#include <algorithm>
#include <bit>

#include "backends/gpu/steps/vectors.h"
#include "base/round.h"

namespace inkread::gpu {

// Phase 0 sums each row, phase 1 the rows of each image.
Work WorkOf(const GlobalPoolParams& p, const Step& step, const GpuTarget& target) {
  const uint32_t width = VectorWidthOf(step, target.traits);
  const uint64_t rows = uint64_t{p.n} * p.h;
  if (!target.tuning.global_pool.in_slices) {  // a thread a sum
    const GpuTraits& traits = target.traits;
    return {.phases = {
                {GlobalPoolVariant{.vector_width = width, .phase = 0}, WorkgroupsFor(rows * p.c, width, traits)},
                {GlobalPoolVariant{.vector_width = width, .phase = 1}, WorkgroupsFor(uint64_t{p.n} * p.c, 1, traits)}}};
  }
  // A workgroup sums one block of channels, its threads a vector of 4 each.
  constexpr uint32_t kMinAcross = 8, kMaxAcross = 64;
  const uint64_t vectors = DivideUp(p.c, 4);
  const uint32_t across = std::clamp(static_cast<uint32_t>(std::bit_ceil(vectors)), kMinAcross, kMaxAcross);
  const uint64_t blocks = DivideUp(vectors, across);
  return {.phases = {{GlobalPoolVariant{width, 0, across}, rows * blocks},
                     {GlobalPoolVariant{width, 1, across}, p.n * blocks}}};
}

}  // namespace inkread::gpu
