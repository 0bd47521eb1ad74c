// A step as a GPU's work: its kernels with their variants, how many workgroups, and which operands they get. One file a
// kind defines its WorkOf.
#ifndef INKREAD_BACKENDS_GPU_STEPS_WORK_H_
#define INKREAD_BACKENDS_GPU_STEPS_WORK_H_

#include <cstdint>
#include <span>
#include <vector>

#include "backends/gpu/steps/tuning.h"
#include "backends/gpu/steps/variant.h"
#include "schedule/step.h"

namespace inkread::gpu {

// One kernel of a step. Each phase reads what the one before has written.
struct Phase {
  StepVariant variant;
  uint64_t workgroups = 0;  // 0: nothing to do
  uint32_t threads = 0;     // of a workgroup; 0: GpuTraits::workgroup_size
};

// An operand of a step, by its slot (schedule/step.h).
enum class OperandSlot : uint8_t {
  kRead0,
  kRead1,
  kRead2,
  kWeights0,
  kWeights1,
  kWeights2,
  kWeights3,
  kWrite0,
  kWrite1OrScratch,  // write 1, or the step's scratch where it has some
};

// The offsets among a kernel's push constants, in this order, behind its params and its epilogue. The kernels' structs
// of operands are the same lists.
inline constexpr OperandSlot kEpilogueOperands[] = {OperandSlot::kRead0,    OperandSlot::kRead1,
                                                    OperandSlot::kRead2,    OperandSlot::kWeights0,
                                                    OperandSlot::kWeights1, OperandSlot::kWrite0};
inline constexpr OperandSlot kPlainOperands[] = {
    OperandSlot::kRead0,    OperandSlot::kRead1,    OperandSlot::kRead2,
    OperandSlot::kWeights0, OperandSlot::kWeights1, OperandSlot::kWrite0,
    OperandSlot::kWeights2, OperandSlot::kWeights3, OperandSlot::kWrite1OrScratch};
// The params of image kinds leave no room for more.
inline constexpr OperandSlot kImageOperands[] = {OperandSlot::kRead0, OperandSlot::kWeights0, OperandSlot::kWrite0};

struct Work {
  std::vector<Phase> phases;
  std::span<const OperandSlot> operands = kPlainOperands;
  uint64_t scratch_words = 0;  // 32-bit words that the phases share, written and read by this step only
};

#define INKREAD_STEP(kind, params, stem) Work WorkOf(const params& p, const Step& step, const GpuTarget& target);
#include "schedule/steps.inc"
#undef INKREAD_STEP

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_STEPS_WORK_H_
