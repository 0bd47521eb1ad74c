#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "backends/cpu/arena_pool.h"
#include "backends/cpu/bands.h"
#include "backends/cpu/bf16_unit.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/probe.h"
#include "base/aligned_buffer.h"
#include "hwy/highway.h"
#include "schedule/host_images.h"

namespace inkread {
namespace {

// How a step's weights are packed: panel and form. Nothing where it has none that are.
using Packing = std::pair<uint32_t, uint32_t>;
std::optional<Packing> PackingOf(const Step& step) {
  if (const auto* p = std::get_if<ConvParams>(&step.params)) return Packing{p->panel, p->weights_form};
  if (const auto* p = std::get_if<ConvTransposeParams>(&step.params)) return Packing{p->panel, p->weights_form};
  if (const auto* p = std::get_if<CtcHeadParams>(&step.params)) return Packing{p->panel, p->weights_form};
  return std::nullopt;
}

// The vectors that go with a Bf16Unit.
#if INKREAD_BF16_ARM
constexpr int64_t kBf16Target = HWY_NEON;
#else
constexpr int64_t kBf16Target = HWY_AVX3;
#endif

class CpuProgram : public HostProgram {
 public:
  CpuProgram(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const DeviceWeights> weights,
             uint64_t band_rows_bytes, int num_threads)
      : HostProgram(std::move(schedule), std::move(weights)) {
    const std::vector<Step>& steps = this->schedule().steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].band != 0 && (i == 0 || steps[i].band != steps[i - 1].band))
        bands_.emplace_back(this->schedule(), i, band_rows_bytes, num_threads);
    }
  }
  // In the order of their steps.
  const std::vector<cpu::Band>& bands() const { return bands_; }

 private:
  std::vector<cpu::Band> bands_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(ThreadPool* pool, const CpuTarget& target, const CpuOptions& options) {
    hwy::ChosenTarget chosen;
    chosen.Update(target.bit);
    constexpr bool kOnlyOneTarget = (HWY_TARGETS & (HWY_TARGETS - 1)) == 0;  // then its tables have one entry
    context_ = {pool, kOnlyOneTarget ? 0 : chosen.GetIndex()};
    caps_.device = "cpu " + target.name;
    caps_.conv_panel = cpu::ConvPanel(context_.target);
    band_rows_bytes_ = options.band_rows_bytes;
    // Second-level caches of 1 and 2 MiB are common.
    if (band_rows_bytes_ > 0) caps_.band_bytes = 832 << 10;
    caps_.has_step.fill(true);
    caps_.softmax_widens = true;
    if (options.fast) UseBf16(target, options);
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return WeightsOnHost(weights, std::move(owner));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    for (const Step& step : schedule->steps) {
      const Packing wanted{caps_.conv_panel, caps_.weights_form};
      const Packing packing = PackingOf(step).value_or(wanted);
      if (packing != wanted) {
        return Internal(schedule->network, ": node '", step.node, "': weights are packed in panels of ", packing.first,
                        " in form ", packing.second, ", ", caps_.device, " expects ", wanted.first, " in form ",
                        wanted.second);
      }
    }
    auto program = std::make_unique<CpuProgram>(std::move(schedule), std::move(weights), band_rows_bytes_,
                                                context_.pool->num_threads());
    INKREAD_RETURN_IF_ERROR(program->Check());
    return std::unique_ptr<const Program>(std::move(program));
  }

  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override { return ImageOnHost(image); }

  Status Run(std::span<const Job> jobs) override {
    if (!HostJobs::AreNeeded(jobs)) return RunAll(jobs);
    INKREAD_ASSIGN_OR_RETURN(const HostJobs host, HostJobs::Make(jobs));
    INKREAD_RETURN_IF_ERROR(RunAll(host.feeding()));
    return RunAll(host.rest());
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    bool has_memory = false;
    cpu::ParallelFor(*context_.pool, 1, [&](size_t) { has_memory = RunJob(job, step_ms); });
    return has_memory ? Status() : NoMemory();
  }

  std::vector<ProbeResult> Probe() override { return cpu::Probe(*this, context_); }

 private:
  Status RunAll(std::span<const Job> jobs) {
    std::atomic<bool> out_of_memory = false;
    cpu::ParallelFor(*context_.pool, jobs.size(), [&](size_t i) {
      if (!RunJob(jobs[i], {})) out_of_memory = true;
    });
    return out_of_memory ? NoMemory() : Status();
  }

  // Weights and values in bf16, where this machine can multiply them.
  void UseBf16(const CpuTarget& target, const CpuOptions& options) {
    if (!options.bf16) {
      caps_.fast_unavailable_reason = "bf16 is switched off";
    } else if (target.bit == kBf16Target) {
      context_.bf16 = cpu::FindBf16Unit(options.amx, &caps_.fast_unavailable_reason);
    } else {
      caps_.fast_unavailable_reason = StrCat("bf16 kernels go with other vectors than ", target.name);
    }
    if (context_.bf16 == nullptr) return;
    caps_.weights_form = INKREAD_WEIGHTS_BF16;
    caps_.storage = INKREAD_ELEMENT_BF16;
    caps_.conv_panel = cpu::kBf16Panel;
    caps_.device += StrCat(" ", context_.bf16->name);
  }
  Status NoMemory() const { return OutOfMemory(caps_.device, ": no memory for a network's intermediate results"); }

  // Where step_ms is not empty it receives each step's milliseconds.
  bool RunJob(const Job& job, std::span<double> step_ms) {
    const Schedule& schedule = job.program->schedule();
    std::unique_ptr<AlignedBuffer> arena = arenas_.Take(schedule.arena_bytes + kArenaSlackBytes);
    const bool has_memory = arena != nullptr;
    if (has_memory) {
      const HostBlocks blocks = BlocksOf(job, arena->data());
      std::fill(step_ms.begin(), step_ms.end(), 0.0);
      const cpu::Band* band = static_cast<const CpuProgram&>(*job.program).bands().data();
      for (size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (step.band != 0 && (i == 0 || step.band != schedule.steps[i - 1].band)) {
          const cpu::Band& here = *band++;
          if (here.pays()) {
            here.Run(blocks, context_, step_ms.empty() ? step_ms : step_ms.subspan(i, here.num_steps()));
            i += here.num_steps() - 1;
            continue;
          }
        }
        std::chrono::steady_clock::time_point start;
        if (!step_ms.empty()) start = std::chrono::steady_clock::now();
        const HostOperands operands = OnHost(step, blocks);
        std::visit(
            [&](const auto& params) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(params)>, std::monostate>) {
                cpu::RunStep(params, step.epilogue, operands, context_);
              }
            },
            step.params);
        if (!step_ms.empty()) {
          step_ms[i] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        }
      }
    }
    if (has_memory) arenas_.Return(std::move(arena));
    return has_memory;
  }

  DeviceCaps caps_;
  cpu::Context context_;
  uint64_t band_rows_bytes_ = 0;
  cpu::ArenaPool arenas_;
};

}  // namespace

std::vector<CpuTarget> CpuTargets() {
  std::vector<CpuTarget> targets;
  // Highway numbers better targets of one architecture lower.
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t bit = rest & -rest;
    std::string name = hwy::TargetName(bit);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    targets.push_back({bit, std::move(name)});
  }
  return targets;
}

std::unique_ptr<Backend> MakeCpuBackend(ThreadPool* pool, const CpuOptions& options) {
  for (const CpuTarget& target : CpuTargets()) {
    if (target.bit & options.targets) return std::make_unique<CpuBackend>(pool, target, options);
  }
  INKREAD_CHECK(false && "targets names one that this machine has");
  return nullptr;
}

}  // namespace inkread
