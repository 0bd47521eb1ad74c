#include "backends/reference/reference_backend.h"

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
    return ProgramOnHost(std::move(schedule), std::move(weights));
  }

  Status Run(std::span<const Job> jobs) override {
    AlignedBuffer arena;
    for (const Job& job : jobs) {
      const Schedule& schedule = job.program->schedule();
      INKREAD_RETURN_IF_ERROR(arena.Reserve(schedule.arena_bytes + kArenaSlackBytes));
      const HostBlocks blocks = BlocksOf(job, arena.data());
      for (const Step& step : schedule.steps) {
        const HostOperands operands = OnHost(step, blocks);
        std::visit(
            [&](const auto& params) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) {
                reference::RunStep(params, step.epilogue, operands);
              }
            },
            step.params);
      }
    }
    return Status();
  }

 private:
  DeviceCaps caps_;
};

}  // namespace

std::unique_ptr<Backend> MakeReferenceBackend(uint32_t conv_panel) {
  return std::make_unique<ReferenceBackend>(conv_panel);
}

}  // namespace inkread
