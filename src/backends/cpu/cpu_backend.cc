#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "backends/cpu/arena_pool.h"
#include "backends/cpu/band_runner.h"
#include "backends/cpu/bf16_unit.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/probe.h"
#include "base/aligned_buffer.h"
#include "base/round.h"
#include "base/trace.h"
#include "hwy/highway.h"
#include "schedule/host_images.h"

namespace inkread {
namespace {

// How a step's weights are packed: panel and form. Nothing for a step without packed weights.
using Packing = std::pair<uint32_t, uint32_t>;
std::optional<Packing> PackingOf(const Step& step) {
  if (const auto* p = std::get_if<ConvParams>(&step.params)) return Packing{p->panel, p->weights_form};
  if (const auto* p = std::get_if<ConvTransposeParams>(&step.params)) return Packing{p->panel, p->weights_form};
  if (const auto* p = std::get_if<CtcHeadParams>(&step.params)) return Packing{p->panel, p->weights_form};
  return std::nullopt;
}

// The vectors that kernels with a Bf16Unit use.
#if INKREAD_BF16_ARM
constexpr int64_t kBf16Target = HWY_NEON;
#else
constexpr int64_t kBf16Target = HWY_AVX3;
#endif

// A schedule with what the CPU keeps beside it: who runs its bands, and how much scratch a run needs.
class CpuProgram : public HostProgram {
 public:
  using HostProgram::HostProgram;

  // All kinds of steps have kernels.
  void Prepare(const cpu::KernelTable& kernels, uint64_t band_rows_bytes, const cpu::Context& context) {
    const std::vector<Step>& steps = schedule().steps;
    const auto grow = [this](size_t run, size_t thread) {
      scratch_ = {std::max(scratch_.run, run), std::max(scratch_.thread, thread)};
    };
    for (size_t i = 0; i < steps.size(); ++i) {
      if (const cpu::Kernel& kernel = kernels[steps[i].params.index()]; kernel.scratch != nullptr) {
        const cpu::ScratchFloats needed = kernel.scratch(steps[i], context);
        grow(needed.run, needed.thread);
      }
      if (!StartsBand(i)) continue;
      const auto add = [&](std::vector<cpu::BandRunner>& bands, int num_threads) {
        bands.emplace_back(schedule(), kernels, i, band_rows_bytes, context, num_threads);
        if (bands.back().pays()) grow(0, bands.back().scratch_floats());
      };
      add(alone_, 1);
      if (context.pool->num_threads() > 1) add(shared_, context.pool->num_threads());
    }
  }
  bool StartsBand(size_t step) const {
    const std::vector<Step>& steps = schedule().steps;
    return steps[step].band != 0 && (step == 0 || steps[step].band != steps[step - 1].band);
  }
  // A band's rows are cut for one thread that runs alone, or for all threads of a pool that has several. In the order of
  // the steps.
  const cpu::BandRunner& band(size_t i, bool alone) const { return (alone ? alone_ : shared_)[i]; }
  const cpu::ScratchFloats& scratch() const { return scratch_; }

 private:
  std::vector<cpu::BandRunner> alone_, shared_;
  cpu::ScratchFloats scratch_;
};

class CpuBackend : public Backend {
 public:
  CpuBackend(ThreadPool* pool, const CpuTarget& target, const CpuOptions& options)
      : kernels_(options.kernels != nullptr ? *options.kernels : cpu::Kernels()) {
    hwy::ChosenTarget chosen;
    chosen.Update(target.bit);
    constexpr bool kOnlyOneTarget = (HWY_TARGETS & (HWY_TARGETS - 1)) == 0;  // Highway's tables then have one entry
    context_ = {pool, kOnlyOneTarget ? 0 : chosen.GetIndex()};
    caps_.device = "cpu " + target.name;
    caps_.conv_panel = cpu::ConvPanel(context_.target);
    band_rows_bytes_ = options.band_rows_bytes;
    // Second-level caches of 1 and 2 MiB are common.
    if (band_rows_bytes_ > 0) caps_.band_bytes = 832 << 10;
    for (size_t kind = 0; kind < kernels_.size(); ++kind) caps_.has_step[kind] = kernels_[kind].run != nullptr;
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
    auto program = std::make_unique<CpuProgram>(std::move(schedule), std::move(weights));
    INKREAD_RETURN_IF_ERROR(program->Check(caps_));
    program->Prepare(kernels_, band_rows_bytes_, context_);
    return std::unique_ptr<const Program>(std::move(program));
  }

  Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& image) override { return ImageOnHost(image); }

  Status Run(std::span<const Job> jobs) override {
    const ThreadPool::Busy busy(*context_.pool);
    try {
      if (!HostJobs::AreNeeded(jobs)) return RunAll(jobs);
      INKREAD_ASSIGN_OR_RETURN(const HostJobs host, HostJobs::Make(jobs));
      INKREAD_RETURN_IF_ERROR(RunAll(host.sources()));
      return RunAll(host.rest());
    } catch (const std::bad_alloc&) {
      return NoMemory();
    }
  }

  Status Profile(const Job& job, std::span<double> step_ms) override {
    INKREAD_CHECK(step_ms.size() == job.program->schedule().steps.size());
    const ThreadPool::Busy busy(*context_.pool);
    try {
      bool has_memory = false;
      cpu::ParallelFor(*context_.pool, 1, [&](size_t) { has_memory = RunJob(job, step_ms); });
      return has_memory ? Status() : NoMemory();
    } catch (const std::bad_alloc&) {
      return NoMemory();
    }
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

  // Uses bf16 for weights and values, if this machine can multiply it.
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

  // Whether there is memory for the run; all that it needs is reserved before its first step. If step_ms is not empty
  // it receives the milliseconds of each step.
  bool RunJob(const Job& job, std::span<double> step_ms) {
    const auto* compiled = dynamic_cast<const CpuProgram*>(job.program);
    INKREAD_CHECK(compiled != nullptr);
    const CpuProgram& program = *compiled;
    const size_t arena_bytes = RoundUp(program.schedule().arena_bytes + kArenaSlackBytes, AlignedBuffer::kAlignment);
    if (!cpu::ReserveThreadScratch(program.scratch().thread).ok()) return false;
    std::unique_ptr<AlignedBuffer> arena = arenas_.Take(arena_bytes + program.scratch().run * sizeof(float));
    if (arena == nullptr) return false;
    cpu::Context context = context_;
    context.run_scratch = reinterpret_cast<float*>(arena->data() + arena_bytes);
    std::fill(step_ms.begin(), step_ms.end(), 0.0);
    RunSteps(program, BlocksOf(job, arena->data()), context, job.cancellation, step_ms);
    arenas_.Return(std::move(arena));
    return true;
  }

  // Leaves out the rest of the steps once `cancellation` is due.
  void RunSteps(const CpuProgram& program, const HostBlocks& blocks, const cpu::Context& context,
                const Cancellation* cancellation, std::span<double> step_ms) const {
    const std::vector<Step>& steps = program.schedule().steps;
    size_t band = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      if (cancellation != nullptr && cancellation->IsDue()) return;
      if (program.StartsBand(i)) {
        const cpu::BandRunner& here = program.band(band++, context.pool->num_available() == 1);
        if (here.pays()) {
          const TraceSpan span("band");
          here.Run(blocks, context, step_ms.empty() ? step_ms : step_ms.subspan(i, here.num_steps()));
          i += here.num_steps() - 1;
          continue;
        }
      }
      std::chrono::steady_clock::time_point start;
      if (!step_ms.empty()) start = std::chrono::steady_clock::now();
      const TraceSpan span(StepKindName(steps[i].kind()));
      kernels_[steps[i].params.index()].run(steps[i], OnHost(steps[i], blocks), context);
      if (!step_ms.empty()) {
        step_ms[i] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      }
    }
  }

  const cpu::KernelTable& kernels_;
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
