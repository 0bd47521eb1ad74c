#include "backends/reference/reference_backend.h"

#include <chrono>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/reference/kernels.h"
#include "base/aligned_buffer.h"
#include "schedule/host_images.h"

namespace inkread {
namespace {

// A step's 16-bit operands as floats, so that kernels know one kind only.
class Widened {
 public:
  Widened(const Step& step, const HostOperands& operands) : step_(step), narrow_(operands), wide_(operands) {
    for (size_t i = 0; i < step.reads.size(); ++i) wide_.reads[i] = Widen(step.reads[i], operands.reads[i], reads_[i]);
    for (size_t i = 0; i < step.writes.size(); ++i)
      wide_.writes[i] = const_cast<float*>(Widen(step.writes[i], operands.writes[i], writes_[i]));
  }
  const HostOperands& operands() const { return wide_; }
  // What the step has written, back in 16 bits.
  void Store() const {
    for (size_t i = 0; i < step_.writes.size(); ++i) {
      auto* to = reinterpret_cast<uint16_t*>(narrow_.writes[i]);
      const bool is_f16 = step_.writes[i].element == INKREAD_ELEMENT_F16;
      for (size_t k = 0; k < writes_[i].size(); ++k) to[k] = is_f16 ? ToF16(writes_[i][k]) : ToBf16(writes_[i][k]);
    }
  }

 private:
  static const float* Widen(const Operand& operand, const float* narrow, std::vector<float>& wide) {
    const bool is_narrow = operand.element == INKREAD_ELEMENT_F16 || operand.element == INKREAD_ELEMENT_BF16;
    if (!operand.present() || !is_narrow) return narrow;
    const auto* from = reinterpret_cast<const uint16_t*>(narrow);
    wide.resize(operand.extent());
    for (size_t k = 0; k < wide.size(); ++k)
      wide[k] = operand.element == INKREAD_ELEMENT_F16 ? FromF16(from[k]) : FromBf16(from[k]);
    return wide.data();
  }

  const Step& step_;
  const HostOperands narrow_;
  HostOperands wide_;
  std::array<std::vector<float>, 3> reads_;
  std::array<std::vector<float>, 2> writes_;
};

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(uint32_t conv_panel) {
    caps_.device = "reference";
    caps_.conv_panel = conv_panel;
    caps_.has_step.fill(true);
    caps_.max_image_bytes = UINT64_MAX;
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return WeightsOnHost(weights, std::move(owner));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    auto program = std::make_unique<HostProgram>(std::move(schedule), std::move(weights));
    INKREAD_RETURN_IF_ERROR(program->Check());
    return std::unique_ptr<const Program>(std::move(program));
  }

  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override { return ImageOnHost(image); }

  Status Run(std::span<const Job> jobs) override {
    INKREAD_ASSIGN_OR_RETURN(const HostJobs host, HostJobs::Make(jobs));
    for (const Job& job : host.feeding()) INKREAD_RETURN_IF_ERROR(RunJob(job, {}));
    for (const Job& job : host.rest()) INKREAD_RETURN_IF_ERROR(RunJob(job, {}));
    return Status();
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    return RunJob(job, step_ms);
  }

 private:
  // Where step_ms is not empty it receives each step's milliseconds.
  static Status RunJob(const Job& job, std::span<double> step_ms) {
    const Schedule& schedule = job.program->schedule();
    AlignedBuffer arena;
    INKREAD_RETURN_IF_ERROR(arena.Reserve(schedule.arena_bytes + kArenaSlackBytes));
    const HostBlocks blocks = BlocksOf(job, arena.data());
    for (size_t i = 0; i < schedule.steps.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      const Step& step = schedule.steps[i];
      const Widened widened(step, OnHost(step, blocks));
      std::visit(
          [&](const auto& params) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) {
              reference::RunStep(params, step.epilogue, widened.operands());
            }
          },
          step.params);
      widened.Store();
      if (!step_ms.empty()) {
        step_ms[i] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    }
    return Status();
  }

  DeviceCaps caps_;
};

}  // namespace

std::unique_ptr<Backend> MakeReferenceBackend(uint32_t conv_panel) {
  return std::make_unique<ReferenceBackend>(conv_panel);
}

}  // namespace inkread
