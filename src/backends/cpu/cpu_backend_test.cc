#include "backends/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "backends/cpu/kernels.h"

namespace {
std::atomic<int64_t> num_allocations = 0;
// Which threads get no aligned blocks: none, this one, or all but this one.
enum class Refused { kNone, kThis, kOthers };
std::atomic<Refused> refused = Refused::kNone;
std::atomic<std::thread::id> refused_thread;
std::atomic<int> num_refusals = 0;
}  // namespace

// Counts what the whole program takes from the heap, but for aligned blocks. Not inlined, since g++ 12 would see free()
// meet its own operator new, and warn.
[[gnu::noinline]] void* operator new(size_t size) {
  ++num_allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
// Aligned blocks are arenas and scratch.
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment) {
  const bool is_that_thread = std::this_thread::get_id() == refused_thread.load();
  if (refused != Refused::kNone && is_that_thread == (refused == Refused::kThis)) {
    ++num_refusals;
    throw std::bad_alloc();
  }
  if (void* p = std::aligned_alloc(static_cast<size_t>(alignment), size)) return p;
  throw std::bad_alloc();
}
// Overridden too, since those of sanitizers do not call the one above.
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return operator new(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }

namespace inkread {
namespace {

constexpr uint kPixels = 500, kChannels = 64;

// conv 1x1 from the input into the arena, softmax from there into the output.
std::shared_ptr<Schedule> ConvThenSoftmax(uint32_t panel) {
  auto s = std::make_shared<Schedule>();
  s->network = "net";
  s->input = s->output = {1, 1, kPixels, kChannels};
  s->arena_bytes = kPixels * kChannels * 4;
  s->weights_bytes = kChannels * kChannels * 4;
  Step conv, softmax;
  conv.node = "Conv_0";
  conv.params = ConvParams{1, 1, kPixels, kChannels, 1,         kPixels, kChannels,          1, 1, 1,
                           1, 0, 0,       kChannels, kChannels, panel,   INKREAD_WEIGHTS_F32};
  conv.reads[0] = {Space::kInput, 0, s->input, kChannels};
  conv.weights[0] = {Space::kWeights, 0, {1, 1, 1, kChannels * kChannels}, kChannels * kChannels};
  conv.writes[0] = {Space::kArena, 0, s->input, kChannels};
  softmax.level = 1;
  softmax.params = SoftmaxParams{kPixels, kChannels, kChannels, kChannels};
  softmax.reads[0] = conv.writes[0];
  softmax.writes[0] = {Space::kOutput, 0, s->output, kChannels};
  s->steps = {conv, softmax};
  return s;
}

class CpuBackendTest : public testing::Test {
 protected:
  CpuBackendTest()
      : pool_(3), backend_(MakeCpuBackend(&pool_)), weights_(kChannels * kChannels + kArenaSlackBytes / 4) {
    for (size_t i = 0; i < weights_.size(); ++i) weights_[i] = static_cast<float>(i % 17) * 0.01f;
  }
  Result<std::unique_ptr<const Program>> Compile(uint32_t panel) {
    const auto bytes = std::as_bytes(std::span(weights_));
    return backend_->Compile(ConvThenSoftmax(panel), *backend_->Upload(bytes, nullptr));
  }

  ThreadPool pool_;
  std::unique_ptr<Backend> backend_;
  std::vector<float> weights_;
};

TEST_F(CpuBackendTest, RunsOneJobOrManyAndAWarmRunAllocatesNothing) {
  auto program = Compile(backend_->Caps().conv_panel);
  ASSERT_TRUE(program.ok());
  std::vector<float> input(kPixels * kChannels + 16, 0.5f);
  std::vector<std::vector<float>> outputs(5, std::vector<float>(kPixels * kChannels));
  std::vector<Job> jobs;
  for (auto& output : outputs) jobs.push_back({program->get(), input.data(), output.data()});
  // Which thread and which arena a job gets is chance: warm until every one of them has been used.
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(backend_->Run(jobs).ok());
  const int64_t before = num_allocations;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(backend_->Run(jobs).ok());
    ASSERT_TRUE(backend_->Run({jobs.data(), 1}).ok());
  }
  // The pool's list of loops takes a node for each loop it hands out; a run of two steps hands out at most a few.
  const int64_t loops = 20 * (1 + 2 * static_cast<int64_t>(jobs.size()) + 2);
  EXPECT_LE(num_allocations - before, loops);
  for (const auto& output : outputs) EXPECT_EQ(output, outputs[0]);
}

TEST_F(CpuBackendTest, ProfileComputesWhatRunDoesAndTimesEachStep) {
  auto program = Compile(backend_->Caps().conv_panel);
  ASSERT_TRUE(program.ok());
  std::vector<float> input(kPixels * kChannels + 16, 0.5f);
  std::vector<float> run(kPixels * kChannels), profiled(kPixels * kChannels);
  const Job run_job{program->get(), input.data(), run.data()};
  ASSERT_TRUE(backend_->Run({&run_job, 1}).ok());
  std::vector<double> step_ms(2, -1);
  ASSERT_TRUE(backend_->Profile({program->get(), input.data(), profiled.data()}, step_ms).ok());
  EXPECT_EQ(profiled, run);
  for (double ms : step_ms) EXPECT_GT(ms, 0);
}

// The first run of a thread needs scratch; the arena is there from the run before.
TEST_F(CpuBackendTest, WithoutMemoryForScratchARunSaysSoAndTheNextIsRight) {
  auto program = Compile(backend_->Caps().conv_panel);
  ASSERT_TRUE(program.ok());
  std::vector<float> input(kPixels * kChannels + 16, 0.5f);
  std::vector<float> expected(kPixels * kChannels), output(kPixels * kChannels);
  const Job warming{program->get(), input.data(), expected.data()};
  ASSERT_TRUE(backend_->Run({&warming, 1}).ok());
  std::thread([&] {
    const Job job{program->get(), input.data(), output.data()};
    refused_thread = std::this_thread::get_id();
    refused = Refused::kThis;
    const Status failed = backend_->Run({&job, 1});
    std::vector<double> step_ms(2);
    const Status failed_profile = backend_->Profile(job, step_ms);
    refused = Refused::kNone;
    EXPECT_EQ(failed.code(), StatusCode::kOutOfMemory) << failed.message();
    EXPECT_EQ(failed_profile.code(), StatusCode::kOutOfMemory);
    EXPECT_TRUE(backend_->Run({&job, 1}).ok());
  }).join();
  EXPECT_EQ(output, expected);
}

TEST_F(CpuBackendTest, AHelperWithoutMemoryForScratchLeavesTheWorkToOthers) {
  auto program = Compile(backend_->Caps().conv_panel);
  ASSERT_TRUE(program.ok());
  std::vector<float> input(kPixels * kChannels + 16, 0.5f);
  std::vector<float> expected(kPixels * kChannels), output(kPixels * kChannels);
  refused_thread = std::this_thread::get_id();
  refused = Refused::kOthers;
  num_refusals = 0;
  // Until a helper has come in time to be refused.
  for (int i = 0; i < 10000 && num_refusals == 0; ++i) {
    std::fill(output.begin(), output.end(), 0.0f);
    const Job job{program->get(), input.data(), output.data()};
    EXPECT_TRUE(backend_->Run({&job, 1}).ok());
  }
  refused = Refused::kNone;
  EXPECT_GT(num_refusals, 0);
  const Job job{program->get(), input.data(), expected.data()};
  ASSERT_TRUE(backend_->Run({&job, 1}).ok());
  EXPECT_EQ(output, expected);
}

TEST_F(CpuBackendTest, EveryStepKindHasAKernel) {
  for (int kind = 0; kind < kNumStepKinds; ++kind)
    EXPECT_TRUE(backend_->Caps().has_step[kind]) << StepKindName(static_cast<StepKind>(kind));
}

TEST_F(CpuBackendTest, AStepWithoutAKernelIsNotInTheCapsAndRefusedByItsNodesName) {
  cpu::KernelTable kernels = cpu::Kernels();
  kernels[static_cast<size_t>(StepKind::kConv)] = {};
  backend_ = MakeCpuBackend(&pool_, {.kernels = &kernels});
  EXPECT_FALSE(backend_->Caps().has_step[static_cast<size_t>(StepKind::kConv)]);
  EXPECT_TRUE(backend_->Caps().has_step[static_cast<size_t>(StepKind::kSoftmax)]);
  const auto program = Compile(backend_->Caps().conv_panel);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(program.status().message(), "net: node 'Conv_0': " + backend_->Caps().device + " has no kernel for conv");
  backend_ = MakeCpuBackend(&pool_);  // before the kernels go
}

TEST_F(CpuBackendTest, ProbeHasAValueOrAReasonInEachRow) {
  const std::vector<ProbeResult> rows = backend_->Probe();
  bool has_peak = false;
  for (const ProbeResult& row : rows) {
    EXPECT_NE(row.value > 0, !row.unavailable.empty()) << row.name;
    EXPECT_NE(row.unit, "") << row.name;
    has_peak |= row.name == kProbePeakF32 && row.value > 0;
  }
  EXPECT_TRUE(has_peak);
}

TEST_F(CpuBackendTest, RefusesWeightsPackedForAnotherDevice) {
  const auto program = Compile(backend_->Caps().conv_panel * 2);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), StatusCode::kInternal);
  EXPECT_NE(program.status().message().find("Conv_0"), std::string::npos) << program.status().message();
}

TEST_F(CpuBackendTest, RefusesTooFewWeights) {
  const auto bytes = std::as_bytes(std::span(weights_)).first(100);
  const auto program =
      backend_->Compile(ConvThenSoftmax(backend_->Caps().conv_panel), *backend_->Upload(bytes, nullptr));
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), StatusCode::kInternal);
}

TEST(CpuTargetsTest, BestIsFirstAndEachCanBeAskedFor) {
  ThreadPool pool(1);
  const std::vector<CpuTarget> targets = CpuTargets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(MakeCpuBackend(&pool)->Caps().device, "cpu " + targets[0].name);
  for (const CpuTarget& target : targets) {
    EXPECT_EQ(MakeCpuBackend(&pool, {.targets = target.bit})->Caps().device, "cpu " + target.name);
  }
}

}  // namespace
}  // namespace inkread
