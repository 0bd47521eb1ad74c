#include "backends/gpu/dispatch.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include "backends/gpu/steps/image.h"
#include "backends/gpu/steps/vectors.h"
#include "backends/gpu/steps/work.h"
#include "backends/gpu/submission.h"
#include "base/round.h"

namespace inkread::gpu {
namespace {

// Of kinds that have one.
std::optional<uint32_t> WeightsForm(const StepParams& params) {
  return std::visit(
      [](const auto& p) -> std::optional<uint32_t> {
        if constexpr (requires { p.weights_form; }) return p.weights_form;
        return std::nullopt;
      },
      params);
}

Work WorkOfStep(const Step& step, const GpuTarget& target) {
  return std::visit(
      [&](const auto& params) -> Work {
        if constexpr (std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) {
          return {};
        } else {
          return WorkOf(params, step, target);
        }
      },
      step.params);
}

class PushConstantWriter {
 public:
  explicit PushConstantWriter(Dispatch& dispatch) : dispatch_(dispatch) {}
  template <typename T>
  void Add(const T& constants) {
    static_assert(sizeof(T) % 4 == 0);
    INKREAD_CHECK(dispatch_.num_push_constants + sizeof(T) / 4 <= dispatch_.push_constants.size());
    std::memcpy(&dispatch_.push_constants[dispatch_.num_push_constants], &constants, sizeof(T));
    dispatch_.num_push_constants += sizeof(T) / 4;
  }
  // element_bytes  of what the offset counts
  void AddOffset(const Operand& operand, uint32_t element_bytes, const BlockLayout& layout) {
    const uint32_t bit = 1u << dispatch_.num_push_constants;
    uint64_t offset = operand.offset_bytes;
    if (operand.space == Space::kOutput) {
      dispatch_.in_output |= bit;
    } else if (operand.present() && operand.space != Space::kWeights && !IsImage(operand)) {
      offset += operand.space == Space::kArena ? layout.arena : layout.input;
      dispatch_.in_block |= bit;
    }
    if (element_bytes == 2) dispatch_.in_16_bits |= bit;
    Add(static_cast<uint32_t>(operand.present() ? offset / element_bytes : 0));
  }

 private:
  Dispatch& dispatch_;
};

const Operand& OperandAt(const Step& step, OperandSlot slot, const Operand& write1) {
  switch (slot) {
    case OperandSlot::kRead0:
    case OperandSlot::kRead1:
    case OperandSlot::kRead2:
      return step.reads[static_cast<size_t>(slot) - static_cast<size_t>(OperandSlot::kRead0)];
    case OperandSlot::kWeights0:
    case OperandSlot::kWeights1:
    case OperandSlot::kWeights2:
    case OperandSlot::kWeights3:
      return step.weights[static_cast<size_t>(slot) - static_cast<size_t>(OperandSlot::kWeights0)];
    case OperandSlot::kWrite0:
      return step.writes[0];
    case OperandSlot::kWrite1OrScratch:
      break;
  }
  return write1;
}

uint32_t BytesCounted(const Step& step, OperandSlot slot, const Operand& operand) {
  if (slot == OperandSlot::kWeights0 && WeightsForm(step.params) == INKREAD_WEIGHTS_F16) return 2;
  return operand.element == INKREAD_ELEMENT_U8 ? 4 : ElementBytes(operand.element);
}

// write1  write 1 of the step, or its scratch
void FillPushConstants(const Step& step, std::span<const OperandSlot> operands, const Operand& write1,
                       const BlockLayout& layout, Dispatch& dispatch) {
  PushConstantWriter writer(dispatch);
  std::visit(
      [&writer](const auto& params) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) writer.Add(params);
      },
      step.params);
  if (HasEpilogue(step.kind())) writer.Add(step.epilogue);
  for (const OperandSlot slot : operands) {
    const Operand& operand = OperandAt(step, slot, write1);
    writer.AddOffset(operand, BytesCounted(step, slot, operand), layout);
  }
}

uint64_t BytesOf(const Shape& shape, uint32_t element = INKREAD_ELEMENT_F32) {
  return shape.num_pixels() * shape.c * ElementBytes(element);
}

// A run's block and its output.
uint64_t RunBytes(const DispatchList& list) {
  return list.layout.size_bytes + RoundUp(list.output_bytes, kBlockAlignment);
}

// Whether every word of the output is written, as far as can be seen: by one step, all of it.
bool WritesWholeOutput(const Schedule& schedule) {
  return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&schedule](const Step& step) {
    const Operand& y = step.writes[0];
    const auto* copy = std::get_if<CopyParams>(&step.params);
    return y.space == Space::kOutput && y.offset_bytes == 0 &&
           (copy == nullptr || IsDense(copy->dims, copy->y_stride)) &&
           (y.ld == y.shape.c || y.shape.num_pixels() == 1) && y.extent_bytes() == BytesOf(schedule.output);
  });
}

struct ScratchLayout {
  std::vector<uint64_t> first_word;  // of each step's scratch
  uint64_t num_words = 0;            // that a run needs
};

// Steps of one level may run at the same time, so each has scratch of its own. Every level uses the same words again.
ScratchLayout LayOutScratch(const Schedule& schedule, const std::vector<Work>& works) {
  ScratchLayout layout;
  uint64_t next = 0;
  for (size_t i = 0; i < works.size(); ++i) {
    if (i == 0 || schedule.steps[i].level != schedule.steps[i - 1].level) next = 0;
    layout.first_word.push_back(next);
    next += works[i].scratch_words;
    layout.num_words = std::max(layout.num_words, next);
  }
  return layout;
}

void AddDispatches(const Step& step, uint32_t index, const Work& work, const Operand& write1, const GpuTraits& traits,
                   DispatchList& list) {
  for (size_t i = 0; i < work.phases.size(); ++i) {
    const Phase& phase = work.phases[i];
    if (phase.workgroups == 0) continue;
    Dispatch& dispatch = list.dispatches.emplace_back();
    dispatch.variant = {step.kind(), phase.variant, step.reads[0].element, step.writes[0].element};
    dispatch.workgroups = phase.workgroups;
    dispatch.threads = phase.threads != 0 ? phase.threads : traits.workgroup_size;
    dispatch.step = index;
    dispatch.level = step.level;
    dispatch.phase = static_cast<uint32_t>(i);
    FillPushConstants(step, work.operands, write1, list.layout, dispatch);
  }
}

}  // namespace

Result<DispatchList> DispatchesOf(const Schedule& schedule, const GpuTarget& target) {
  std::vector<Work> works;
  works.reserve(schedule.steps.size());
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    if (const auto form = WeightsForm(step.params); form && *form != target.traits.weights_form)
      return Internal(schedule.network, ": step ", i, " has weights of form ", *form);
    works.push_back(WorkOfStep(step, target));
  }
  const ScratchLayout scratch = LayOutScratch(schedule, works);

  DispatchList list;
  const bool is_image = schedule.input_element == INKREAD_ELEMENT_U8;
  (is_image ? list.image_bytes : list.input_bytes) = BytesOf(schedule.input, schedule.input_element);
  list.output_bytes = BytesOf(schedule.output);
  list.writes_whole_output = WritesWholeOutput(schedule);
  BlockLayout& layout = list.layout;
  layout.arena = RoundUp(list.input_bytes, kBlockAlignment);
  layout.scratch = layout.arena + RoundUp(schedule.arena_bytes, kBlockAlignment);
  layout.size_bytes = layout.scratch + RoundUp(scratch.num_words * 4, kBlockAlignment);
  if (RunBytes(list) / 2 > UINT32_MAX)
    return InvalidArgument(schedule.network, ": a run takes ", RunBytes(list), " bytes, more than 32 bits can count");

  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    Operand write1 = schedule.steps[i].writes[1];
    if (works[i].scratch_words > 0)
      write1 = {Space::kArena, layout.scratch - layout.arena + scratch.first_word[i] * 4, {}, 0};
    AddDispatches(schedule.steps[i], static_cast<uint32_t>(i), works[i], write1, target.traits, list);
  }
  return list;
}

std::vector<Dispatch> ImageKernels(const GpuTarget& target) {
  constexpr uint32_t kU8 = INKREAD_ELEMENT_U8, kF32 = INKREAD_ELEMENT_F32;
  const ImageVariant of_image = {.x_is_image = 1}, of_crop = {.x_is_image = 0};
  std::vector<Dispatch> kernels(3);
  kernels[0].variant = {StepKind::kImageResize, of_image, kU8, kF32};
  kernels[1].variant = {StepKind::kImageWarp, of_image, kU8, kU8};
  kernels[2].variant = {StepKind::kImageResize, of_crop, kU8, kF32};
  for (Dispatch& kernel : kernels) kernel.threads = target.traits.workgroup_size;
  return kernels;
}

Result<DispatchList> DispatchesFor(const Schedule& schedule, const GpuTarget& target, uint64_t weights_bytes,
                                   uint64_t max_buffer_bytes, const std::string& who) {
  if (weights_bytes < schedule.weights_bytes)
    return Internal(schedule.network, ": there are ", weights_bytes, " bytes of weights, the schedule expects ",
                    schedule.weights_bytes);
  INKREAD_ASSIGN_OR_RETURN(DispatchList list, DispatchesOf(schedule, target));
  if (RunBytes(list) + kArenaSlackBytes > max_buffer_bytes)
    return OutOfMemory(who, ": a run of ", schedule.network, " takes ", RunBytes(list), " bytes, its buffers hold ",
                       max_buffer_bytes);
  return list;
}

std::array<uint32_t, kMaxPushConstants> PushConstantsAt(const Dispatch& dispatch, const Place& place) {
  std::array<uint32_t, kMaxPushConstants> constants = dispatch.push_constants;
  for (uint32_t i = 0; i < dispatch.num_push_constants; ++i) {
    const uint64_t element_bytes = (dispatch.in_16_bits >> i & 1) != 0 ? 2 : 4;
    if ((dispatch.in_block >> i & 1) != 0) constants[i] += static_cast<uint32_t>(place.block / element_bytes);
    if ((dispatch.in_output >> i & 1) != 0) constants[i] += static_cast<uint32_t>(place.output / element_bytes);
  }
  return constants;
}

}  // namespace inkread::gpu
