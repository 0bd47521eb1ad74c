#include "backends/gpu/steps/work.h"
#include "base/round.h"

namespace inkread::gpu {

// A workgroup takes some queries of one head and image.
Work WorkOf(const AttentionParams& p, const Step&, const GpuTarget& target) {
  return {.phases = {{std::monostate{}, p.n * DivideUp(p.t, target.tuning.attention.queries) * p.heads}}};
}

}  // namespace inkread::gpu
