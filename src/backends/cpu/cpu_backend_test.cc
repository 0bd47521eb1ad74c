#include "backends/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

namespace {
std::atomic<int64_t> num_allocations = 0;
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
