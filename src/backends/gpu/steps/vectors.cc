#include "backends/gpu/steps/vectors.h"

#include <algorithm>

#include "base/round.h"

namespace inkread::gpu {

bool BeginsAligned(uint32_t width, uint32_t element_bytes, const Operand& o) {
  return o.offset_bytes % (uint64_t{width} * element_bytes) == 0;
}

bool IsAligned(uint32_t width, const Operand& o) {
  return !o.present() ||
         (BeginsAligned(width, ElementBytes(o.element), o) && o.ld % width == 0 && o.shape.c % width == 0);
}

uint32_t VectorWidthOf(const Step& step, const GpuTraits& traits) {
  const uint32_t width = traits.vector_width;
  const auto is_aligned = [width](const Operand& o) { return IsAligned(width, o); };
  const auto begins_aligned = [width](const Operand& o) { return BeginsAligned(width, 4, o); };
  return std::all_of(step.reads.begin(), step.reads.end(), is_aligned) &&
                 std::all_of(step.writes.begin(), step.writes.end(), is_aligned) &&
                 std::all_of(step.weights.begin(), step.weights.end(), begins_aligned)
             ? width
             : 1;
}

bool IsDense(const uint (&dims)[5], const uint (&stride)[5]) {
  uint64_t count = 1;
  for (int i = 4; i >= 0; --i) {
    if (dims[i] != 1 && stride[i] != count) return false;
    count *= dims[i];
  }
  return true;
}

uint64_t WorkgroupsFor(uint64_t count, uint32_t width, const GpuTraits& traits) {
  return DivideUp(count / width, traits.workgroup_size);
}

Work VectorWork(uint64_t count, const Step& step, const GpuTarget& target) {
  const uint32_t width = VectorWidthOf(step, target.traits);
  return {.phases = {{VectorVariant{width}, WorkgroupsFor(count, width, target.traits)}},
          .operands = HasEpilogue(step.kind()) ? std::span<const OperandSlot>(kEpilogueOperands) : kPlainOperands};
}

}  // namespace inkread::gpu
