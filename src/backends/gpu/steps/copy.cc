#include "backends/gpu/steps/vectors.h"

namespace inkread::gpu {

// A thread an element, or several where both sides are dense and aligned.
Work WorkOf(const CopyParams& p, const Step& step, const GpuTarget& target) {
  const Operand& x = step.reads[0];
  const Operand& y = step.writes[0];
  const uint32_t wanted = target.tuning.copy.vector_width;
  const bool is_dense =
      IsDense(p.dims, p.x_stride) && IsDense(p.dims, p.y_stride) && IsAligned(wanted, x) && IsAligned(wanted, y);
  const uint32_t width = is_dense ? wanted : 1;
  uint64_t count = 1;
  for (uint d : p.dims) count *= d;
  const CopyVariant variant = {width, x.element == INKREAD_ELEMENT_F32, y.element == INKREAD_ELEMENT_F32};
  return {.phases = {{variant, WorkgroupsFor(count, width, target.traits)}}};
}

}  // namespace inkread::gpu
