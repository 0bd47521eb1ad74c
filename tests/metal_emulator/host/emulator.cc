#include "tests/metal_emulator/host/emulator.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "tests/metal_emulator/host/objc_runtime.h"
#include "tests/metal_emulator/host/state.h"

namespace metal_emulator {
namespace {

struct State {
  std::mutex mutex;
  int collectors = 0;
  std::vector<Report> reports;
  DeviceList devices{{DeviceDescription{}}, 1};
  NewContents new_contents = NewContents::kPoison;
  Injection injection;
  uint64_t calls = 0, allocations = 0, commits = 0;  // since Inject
  PlantedBugs bugs;
  uint64_t barriers = 0, bindings = 0, pipelines = 0;  // since Plant
  Instance* kept_pipeline = nullptr;
  Counts counts;
  uint64_t in_flight = 0;
  std::condition_variable landed;
};
// Never destroyed: reports may still come while the process's statics go.
State& TheState() {
  static State* state = new State;
  return *state;
}

bool IsDue(uint64_t number, uint64_t failing, bool all_later) {
  return failing != 0 && (all_later ? number >= failing : number == failing);
}

bool NextCallFails(State& state) { return ++state.calls == state.injection.failing_call; }

[[noreturn]] void End(const Report& report) {
  std::fprintf(stderr, "Metal emulator: %s: %s\n", NameOf(report.misuse), report.text.c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace

const char* NameOf(Misuse misuse) {
  switch (misuse) {
    case Misuse::kUnknownMessage:
      return "unknown message";
    case Misuse::kUseAfterRelease:
      return "use after release";
    case Misuse::kOverRelease:
      return "over-release";
    case Misuse::kNoPool:
      return "no autorelease pool";
    case Misuse::kLeak:
      return "leak";
    case Misuse::kReleasedInUse:
      return "released in use";
    case Misuse::kBadArgument:
      return "bad argument";
    case Misuse::kUnsupported:
      return "not emulated";
    case Misuse::kEncodeAfterEnd:
      return "encoding after its end";
    case Misuse::kEncoderOpen:
      return "an encoder is open";
    case Misuse::kCommittedTwice:
      return "committed twice";
    case Misuse::kWrongOrder:
      return "wrong order";
    case Misuse::kNoPipeline:
      return "no pipeline";
    case Misuse::kMissingBinding:
      return "missing binding";
    case Misuse::kThreadgroupSize:
      return "threadgroup size";
    case Misuse::kThreadgroupMemory:
      return "threadgroup memory";
    case Misuse::kRace:
      return "race";
    case Misuse::kKernel:
      return "kernel";
    case Misuse::kHostOverrun:
      return "host overrun";
  }
  return "misuse";
}

void ReportMisuse(Misuse misuse, const std::string& text) {
  State& state = TheState();
  Report report{misuse, text};
  {
    std::lock_guard lock(state.mutex);
    if (state.collectors > 0) {
      state.reports.push_back(std::move(report));
      return;
    }
  }
  End(report);
}

CollectReports::CollectReports() {
  std::lock_guard lock(TheState().mutex);
  ++TheState().collectors;
}

CollectReports::~CollectReports() {
  State& state = TheState();
  std::unique_lock lock(state.mutex);
  if (--state.collectors > 0 || state.reports.empty()) return;
  const Report report = state.reports.front();
  lock.unlock();
  End(report);
}

std::vector<Report> CollectReports::Take() {
  std::lock_guard lock(TheState().mutex);
  return std::exchange(TheState().reports, {});
}

void SetDevices(std::vector<DeviceDescription> devices) {
  std::lock_guard lock(TheState().mutex);
  DeviceList& list = TheState().devices;
  list = {std::move(devices), list.number_of_first + list.descriptions.size()};
}

void Inject(Injection injection) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  state.injection = std::move(injection);
  state.calls = state.allocations = state.commits = 0;
}

uint64_t FallibleCalls() {
  std::lock_guard lock(TheState().mutex);
  return TheState().calls;
}

void Plant(const PlantedBugs& bugs) {
  State& state = TheState();
  std::unique_lock lock(state.mutex);
  state.bugs = bugs;
  state.barriers = state.bindings = state.pipelines = 0;
  const Instance* kept = std::exchange(state.kept_pipeline, nullptr);
  lock.unlock();
  if (kept != nullptr) Release(kept->object);
}

void SetNewContents(NewContents contents) {
  std::lock_guard lock(TheState().mutex);
  TheState().new_contents = contents;
}

Counts CountsSoFar() {
  std::lock_guard lock(TheState().mutex);
  return TheState().counts;
}

DeviceList Devices() {
  std::lock_guard lock(TheState().mutex);
  return TheState().devices;
}

NewContents ContentsOfNewBuffers() {
  std::lock_guard lock(TheState().mutex);
  return TheState().new_contents;
}

bool CallFails() {
  std::lock_guard lock(TheState().mutex);
  return NextCallFails(TheState());
}

bool AllocationFails() {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  const Injection& injection = state.injection;
  const bool due = IsDue(++state.allocations, injection.failing_allocation, injection.all_later_allocations);
  return NextCallFails(state) || due;
}

std::optional<std::string> CompilationFails() {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  if (NextCallFails(state)) return "injected: compilation failed";
  if (!state.injection.compile_error.empty()) return state.injection.compile_error;
  return std::nullopt;
}

bool PipelineFails(const std::string& kernel) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  const std::string& failing = state.injection.failing_kernel;
  return NextCallFails(state) || failing == "*" || failing == kernel;
}

std::optional<CommandBufferError> CommitFails() {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  const Injection& injection = state.injection;
  const bool due = IsDue(++state.commits, injection.failing_command_buffer, injection.all_later_command_buffers);
  if (NextCallFails(state) || due) return injection.error;
  return std::nullopt;
}

bool IsMissing(const std::string& kernel) {
  std::lock_guard lock(TheState().mutex);
  return TheState().injection.missing_kernel == kernel;
}

uint64_t StartDelayUs() {
  std::lock_guard lock(TheState().mutex);
  return TheState().injection.start_delay_us;
}

bool IgnoresBarrier() {
  std::lock_guard lock(TheState().mutex);
  return ++TheState().barriers == TheState().bugs.ignored_barrier;
}

bool IgnoresBinding() {
  std::lock_guard lock(TheState().mutex);
  return ++TheState().bindings == TheState().bugs.ignored_binding;
}

void MayKeepPipeline(Instance* pipeline) {
  std::lock_guard lock(TheState().mutex);
  if (++TheState().pipelines != TheState().bugs.kept_pipeline) return;
  Retain(pipeline->object);
  TheState().kept_pipeline = pipeline;
}

bool FlipsConstant(uint32_t index) {
  std::lock_guard lock(TheState().mutex);
  return TheState().bugs.flipped_constant == int64_t{index};
}

std::optional<uint64_t> ClearedWord(const std::string& kernel) {
  std::lock_guard lock(TheState().mutex);
  const PlantedBugs& bugs = TheState().bugs;
  return bugs.cleared_kernel == kernel ? std::optional(bugs.cleared_word) : std::nullopt;
}

uint64_t WithheldBytes() {
  std::lock_guard lock(TheState().mutex);
  return TheState().bugs.withheld_bytes;
}

void BeginFlight() {
  std::lock_guard lock(TheState().mutex);
  ++TheState().in_flight;
}

void EndFlight() {
  std::lock_guard lock(TheState().mutex);
  --TheState().in_flight;
  TheState().landed.notify_all();
}

void WaitForFlights() {
  std::unique_lock lock(TheState().mutex);
  TheState().landed.wait(lock, [] { return TheState().in_flight == 0; });
}

void Count(const std::function<void(Counts&)>& add) {
  std::lock_guard lock(TheState().mutex);
  add(TheState().counts);
}

}  // namespace metal_emulator
