#include "backends/reference/reference_backend.h"

#include <chrono>
#include <type_traits>
#include <utility>

#include "backends/reference/kernels.h"
#include "base/aligned_buffer.h"

namespace inkread {
namespace {

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(uint32_t conv_panel) {
    caps_.device = "reference";
    caps_.conv_panel = conv_panel;
    caps_.has_step.fill(true);
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

  Status Run(std::span<const Job> jobs) override {
    for (const Job& job : jobs) INKREAD_RETURN_IF_ERROR(RunJob(job, {}));
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
      const HostOperands operands = OnHost(step, blocks);
      std::visit(
          [&](const auto& params) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) {
              reference::RunStep(params, step.epilogue, operands);
            }
          },
          step.params);
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
