#include "backends/gpu/steps/image.h"

#include "base/round.h"

namespace inkread::gpu {

bool IsImage(const Operand& o) { return o.space == Space::kInput && o.element == INKREAD_ELEMENT_U8; }

Work PixelWork(uint64_t count, const Step& step, const GpuTarget& target) {
  return {.phases = {{ImageVariant{IsImage(step.reads[0])}, DivideUp(count, target.traits.workgroup_size)}},
          .operands = kImageOperands};
}

}  // namespace inkread::gpu
