#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <mutex>
#include <type_traits>
#include <utility>

#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/probe.h"
#include "base/aligned_buffer.h"
#include "hwy/highway.h"

namespace inkread {
namespace {

// The scratch blocks of runs. They only grow, and how they grow depends on what is run, not on how threads meet: a run
// of several jobs makes room for as many of them as can be at work at once before it starts.
class ArenaPool {
 public:
  // Afterwards at least `count` blocks of `size` bytes are there or in use.
  Status Reserve(size_t count, size_t size) {
    std::lock_guard lock(mutex_);
    size_t large = in_use_;
    for (const auto& arena : free_) large += arena->size_bytes() >= size ? 1 : 0;
    for (; large < count; ++large) {
      // Too small ones grow, the largest first, before another is made.
      auto best = free_.end();
      for (auto it = free_.begin(); it != free_.end(); ++it) {
        if ((*it)->size_bytes() < size && (best == free_.end() || (*it)->size_bytes() > (*best)->size_bytes()))
          best = it;
      }
      if (best == free_.end()) best = free_.insert(free_.end(), std::make_unique<AlignedBuffer>());
      INKREAD_RETURN_IF_ERROR((*best)->Reserve(size));
    }
    return Status();
  }
  // The smallest block that is large enough, else the largest, for the caller to grow.
  std::unique_ptr<AlignedBuffer> Take(size_t size) {
    std::lock_guard lock(mutex_);
    ++in_use_;
    auto best = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      if (best == free_.end()) {
        best = it;
        continue;
      }
      const size_t a = (*it)->size_bytes(), b = (*best)->size_bytes();
      if (a >= size ? b < size || a < b : b < size && a > b) best = it;
    }
    if (best == free_.end()) return std::make_unique<AlignedBuffer>();
    std::unique_ptr<AlignedBuffer> arena = std::move(*best);
    free_.erase(best);
    return arena;
  }
  void Return(std::unique_ptr<AlignedBuffer> arena) {
    std::lock_guard lock(mutex_);
    --in_use_;
    free_.push_back(std::move(arena));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<AlignedBuffer>> free_;
  size_t in_use_ = 0;
};

// The panel that a step's packed weights have; 0 where it has none.
uint32_t PanelOf(const Step& step) {
  if (const auto* p = std::get_if<ConvParams>(&step.params)) return p->panel;
  if (const auto* p = std::get_if<ConvTransposeParams>(&step.params)) return p->panel;
  if (const auto* p = std::get_if<CtcHeadParams>(&step.params)) return p->panel;
  return 0;
}

class CpuBackend : public Backend {
 public:
  CpuBackend(ThreadPool* pool, const CpuTarget& target) {
    hwy::ChosenTarget chosen;
    chosen.Update(target.bit);
    constexpr bool kOnlyOneTarget = (HWY_TARGETS & (HWY_TARGETS - 1)) == 0;  // then its tables have one entry
    context_ = {pool, kOnlyOneTarget ? 0 : chosen.GetIndex()};
    caps_.device = "cpu " + target.name;
    caps_.conv_panel = cpu::ConvPanel(context_.target);
    caps_.has_step.fill(true);
  }

  const DeviceCaps& Caps() const override { return caps_; }

  Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                      std::shared_ptr<const void> owner) override {
    return WeightsOnHost(weights, std::move(owner));
  }

  Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                 std::shared_ptr<const DeviceWeights> weights) override {
    for (const Step& step : schedule->steps) {
      const uint32_t panel = PanelOf(step);
      if (panel != 0 && panel != caps_.conv_panel) {
        return Internal(schedule->network, ": node '", step.node, "': weights are packed in panels of ", panel, ", ",
                        caps_.device, " expects ", caps_.conv_panel);
      }
    }
    return ProgramOnHost(std::move(schedule), std::move(weights));
  }

  Status Run(std::span<const Job> jobs) override {
    size_t largest = 0;
    for (const Job& job : jobs) largest = std::max<size_t>(largest, job.program->schedule().arena_bytes);
    INKREAD_RETURN_IF_ERROR(arenas_.Reserve(std::min(jobs.size(), static_cast<size_t>(context_.pool->num_threads())),
                                            largest + kArenaSlackBytes));
    std::atomic<bool> out_of_memory = false;
    cpu::ParallelFor(*context_.pool, jobs.size(), [&](size_t i) {
      if (!RunJob(jobs[i], {})) out_of_memory = true;
    });
    return out_of_memory ? NoMemory() : Status();
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    bool has_memory = false;
    cpu::ParallelFor(*context_.pool, 1, [&](size_t) { has_memory = RunJob(job, step_ms); });
    return has_memory ? Status() : NoMemory();
  }

  std::vector<ProbeResult> Probe() override { return cpu::Probe(*this, context_); }

 private:
  Status NoMemory() const { return OutOfMemory(caps_.device, ": no memory for a network's intermediate results"); }

  // Where step_ms is not empty it receives each step's milliseconds.
  bool RunJob(const Job& job, std::span<double> step_ms) {
    const Schedule& schedule = job.program->schedule();
    std::unique_ptr<AlignedBuffer> arena = arenas_.Take(schedule.arena_bytes + kArenaSlackBytes);
    const bool has_memory = arena->Reserve(schedule.arena_bytes + kArenaSlackBytes).ok();
    if (has_memory) {
      const HostBlocks blocks = BlocksOf(job, arena->data());
      for (size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
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
    arenas_.Return(std::move(arena));
    return has_memory;
  }

  DeviceCaps caps_;
  cpu::Context context_;
  ArenaPool arenas_;
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

std::unique_ptr<Backend> MakeCpuBackend(ThreadPool* pool, int64_t targets) {
  for (const CpuTarget& target : CpuTargets()) {
    if (target.bit & targets) return std::make_unique<CpuBackend>(pool, target);
  }
  INKREAD_CHECK(false && "targets names one that this machine has");
  return nullptr;
}

}  // namespace inkread
