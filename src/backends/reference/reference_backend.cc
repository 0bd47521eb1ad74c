#include "backends/reference/reference_backend.h"

#include <array>
#include <chrono>
#include <new>
#include <utility>
#include <vector>

#include "backends/reference/kernels.h"
#include "base/aligned_buffer.h"
#include "schedule/host_images.h"

namespace inkread {
namespace {

bool IsNarrow(uint32_t element) { return element == INKREAD_ELEMENT_F16 || element == INKREAD_ELEMENT_BF16; }

// A step's operands with 16-bit values widened to float, so that kernels need to know floats only.
class WidenedOperands {
 public:
  WidenedOperands(const Step& step, const HostOperands& operands) : narrow_(operands), wide_(operands) {
    for (size_t i = 0; i < step.reads.size(); ++i) Widen(step.reads[i], wide_.reads[i], reads_[i]);
    for (size_t i = 0; i < step.writes.size(); ++i) Widen(step.writes[i], wide_.writes[i], writes_[i]);
  }
  const HostOperands& operands() const { return wide_; }
  // Rounds what the step has written to 16 bits, and stores it.
  void Store() const {
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (writes_[i].empty()) continue;
      uint16_t* to = Values<uint16_t>(narrow_.writes[i]);
      const bool is_f16 = narrow_.writes[i].element == INKREAD_ELEMENT_F16;
      for (size_t k = 0; k < writes_[i].size(); ++k) to[k] = is_f16 ? ToF16(writes_[i][k]) : ToBf16(writes_[i][k]);
    }
  }

 private:
  template <typename Byte>
  static void Widen(const Operand& operand, HostOperand<Byte>& host, std::vector<float>& wide) {
    if (!operand.present() || !IsNarrow(host.element)) return;
    const uint16_t* from = Values<uint16_t>(host);
    wide.resize(operand.extent());
    const bool is_f16 = host.element == INKREAD_ELEMENT_F16;
    for (size_t k = 0; k < wide.size(); ++k) wide[k] = is_f16 ? FromF16(from[k]) : FromBf16(from[k]);
    host = {reinterpret_cast<Byte*>(wide.data()), INKREAD_ELEMENT_F32};
  }

  const HostOperands narrow_;
  HostOperands wide_;
  std::array<std::vector<float>, 3> reads_;
  std::array<std::vector<float>, 2> writes_;
};

class ReferenceBackend : public Backend {
 public:
  ReferenceBackend(uint32_t conv_panel, const reference::KernelTable& kernels) : kernels_(kernels) {
    caps_.device = "reference";
    caps_.conv_panel = conv_panel;
    for (size_t kind = 0; kind < kernels_.size(); ++kind) caps_.has_step[kind] = kernels_[kind] != nullptr;
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
    INKREAD_RETURN_IF_ERROR(program->Check(caps_));
    return std::unique_ptr<const Program>(std::move(program));
  }

  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override { return ImageOnHost(image); }

  Status Run(std::span<const Job> jobs) override {
    INKREAD_ASSIGN_OR_RETURN(const HostJobs host, HostJobs::Make(jobs));
    for (const Job& job : host.sources()) INKREAD_RETURN_IF_ERROR(RunJob(job, {}));
    for (const Job& job : host.rest()) INKREAD_RETURN_IF_ERROR(RunJob(job, {}));
    return Status();
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    return RunJob(job, step_ms);
  }

 private:
  // If step_ms is not empty it receives the milliseconds of each step.
  Status RunJob(const Job& job, std::span<double> step_ms) const {
    try {
      return RunSteps(job, step_ms);
    } catch (const std::bad_alloc&) {
      return OutOfMemory(caps_.device, ": no memory for a network's intermediate results");
    }
  }

  Status RunSteps(const Job& job, std::span<double> step_ms) const {
    const Schedule& schedule = job.program->schedule();
    AlignedBuffer arena;
    INKREAD_RETURN_IF_ERROR(arena.Reserve(schedule.arena_bytes + kArenaSlackBytes));
    const HostBlocks blocks = BlocksOf(job, arena.data());
    for (size_t i = 0; i < schedule.steps.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      const Step& step = schedule.steps[i];
      const WidenedOperands widened(step, OnHost(step, blocks));
      kernels_[step.params.index()](step, widened.operands());
      widened.Store();
      if (!step_ms.empty()) {
        step_ms[i] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    }
    return Status();
  }

  const reference::KernelTable& kernels_;
  DeviceCaps caps_;
};

}  // namespace

std::unique_ptr<Backend> MakeReferenceBackend(uint32_t conv_panel, const reference::KernelTable& kernels) {
  return std::make_unique<ReferenceBackend>(conv_panel, kernels);
}

}  // namespace inkread
