#include "schedule/host_memory.h"

#include <utility>

#include "base/status.h"

namespace inkread {
namespace {

const std::byte* Readable(const Operand& operand, const HostBlocks& blocks) {
  switch (operand.space) {
    case Space::kNone:
      return nullptr;
    case Space::kArena:
      return blocks.arena + operand.offset_bytes;
    case Space::kWeights:
      return blocks.weights + operand.offset_bytes;
    case Space::kInput:
      return blocks.input + operand.offset_bytes;
    case Space::kOutput:
      return blocks.output + operand.offset_bytes;
  }
  return nullptr;
}

std::byte* Writable(const Operand& operand, const HostBlocks& blocks) {
  if (!operand.present()) return nullptr;
  INKREAD_CHECK(operand.space == Space::kArena || operand.space == Space::kOutput);
  return (operand.space == Space::kArena ? blocks.arena : blocks.output) + operand.offset_bytes;
}

// The element of a step's packed weights.
uint32_t ElementOfWeights(const Step& step) {
  return std::visit(
      [](const auto& params) -> uint32_t {
        if constexpr (requires { params.weights_form; }) {
          if (params.weights_form == INKREAD_WEIGHTS_BF16) return INKREAD_ELEMENT_BF16;
          if (params.weights_form == INKREAD_WEIGHTS_F16) return INKREAD_ELEMENT_F16;
        }
        return INKREAD_ELEMENT_F32;
      },
      step.params);
}

class HostWeights : public DeviceWeights {
 public:
  HostWeights(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

std::shared_ptr<const DeviceWeights> WeightsOnHost(std::span<const std::byte> bytes,
                                                   std::shared_ptr<const void> owner) {
  return std::make_shared<HostWeights>(bytes, std::move(owner));
}

HostProgram::HostProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const DeviceWeights> weights)
    : schedule_(std::move(schedule)), weights_(std::move(weights)) {
  INKREAD_CHECK(dynamic_cast<const HostWeights*>(weights_.get()) != nullptr);
}

Status HostProgram::Check(const DeviceCaps& caps) const {
  for (const Step& step : schedule_->steps) {
    const auto kind = static_cast<size_t>(step.kind());
    if (kind < caps.has_step.size() && caps.has_step[kind]) continue;
    return Unsupported(schedule_->network, ": node '", step.node, "': ", caps.device, " has no kernel for ",
                       StepKindName(step.kind()));
  }
  const size_t size = static_cast<const HostWeights&>(*weights_).bytes().size();
  if (size >= schedule_->weights_bytes) return Status();
  return Internal(schedule_->network, ": there are ", size, " bytes of weights, the schedule expects ",
                  schedule_->weights_bytes);
}

const std::byte* HostProgram::weights() const { return static_cast<const HostWeights&>(*weights_).bytes().data(); }

HostBlocks BlocksOf(const Job& job, std::byte* arena) {
  const auto* program = dynamic_cast<const HostProgram*>(job.program);
  INKREAD_CHECK(program != nullptr);
  return {arena, program->weights(), static_cast<const std::byte*>(job.host_input()),
          static_cast<std::byte*>(job.output)};
}

HostOperands OnHost(const Step& step, const HostBlocks& blocks) {
  HostOperands host;
  for (size_t i = 0; i < step.reads.size(); ++i)
    host.reads[i] = {Readable(step.reads[i], blocks), step.reads[i].element};
  for (size_t i = 0; i < step.weights.size(); ++i) host.weights[i] = {Readable(step.weights[i], blocks)};
  host.weights[0].element = ElementOfWeights(step);
  for (size_t i = 0; i < step.writes.size(); ++i)
    host.writes[i] = {Writable(step.writes[i], blocks), step.writes[i].element};
  return host;
}

}  // namespace inkread
