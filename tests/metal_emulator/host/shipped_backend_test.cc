// The Metal backend as it is shipped, over the emulator: which devices it takes, what a run asks of Metal, that each
// barrier, binding and flag matters, that failures of calls come back as they should and leave nothing behind.
// That its results are right is what tests/conformance shows.
#include <gtest/gtest.h>

#include "backends/metal/kernels/sizes.h"
#include "backends/metal/metal_backend.h"
#include "tests/metal_emulator/host/emulator.h"
#include "tests/planned_network.h"

namespace metal_emulator {
namespace {

using inkread::Backend;
using inkread::MetalOptions;
using inkread::Result;
using inkread::Status;
using inkread::StatusCode;

constexpr int64_t kHeight = 13, kWidth = 11;

// Levels with two steps, a depthwise step, a residual, a squeeze and excite, a last layer whose tiles have edges.
inkread::Graph SmallNetwork() {
  inkread::GraphBuilder b;
  const auto x = b.Input({1, 3, -1, -1});
  const auto stem = b.Node(inkread::OpType::kRelu, {Conv(b, x, 3, 20, 3)});
  const auto depthwise =
      b.Node(inkread::OpType::kConv, {stem, Ramp(b, {20, 1, 3, 3}), Ramp(b, {20})}, inkread::Window(3, 1, 20));
  const auto joined = b.Node(inkread::OpType::kAdd, {Conv(b, depthwise, 20, 20), stem});
  const auto left = Conv(b, joined, 20, 16), right = Conv(b, joined, 20, 16, 3);
  const auto gate =
      b.Node(inkread::OpType::kSigmoid, {Conv(b, b.Node(inkread::OpType::kGlobalAveragePool, {right}), 16, 16)});
  const auto gated = b.Node(inkread::OpType::kMul, {right, gate});
  return b.Output(Conv(b, b.Node(inkread::OpType::kAdd, {left, gated}), 16, 9));
}

struct Reading {
  Status status;
  std::vector<float> output;
  Counts counts;  // of the run alone
  uint64_t num_levels = 0;
};

class ShippedBackendTest : public testing::Test {
 protected:
  void SetUp() override {
    SetDevices({DeviceDescription{}});
    Inject({});
    Plant({});
  }
  // Nothing is left, whatever a test did.
  void TearDown() override {
    SetUp();
    EXPECT_EQ(LiveObjects(), std::vector<std::string>());
  }
  // All that a program does with the backend, from finding the device to giving it back.
  static Reading Read() {
    Reading reading;
    reading.status = ReadInto(&reading);
    return reading;
  }
  // What was reported, and whether a planted bug changed anything that the program sees.
  static std::vector<Report> ReportsWith(const PlantedBugs& bugs, bool* differs) {
    CollectReports collect;
    const Reading good = Read();
    Plant(bugs);
    const Reading bad = Read();
    Plant({});
    *differs = !bad.status.ok() || bad.output != good.output;
    return collect.Take();
  }

 private:
  static Status ReadInto(Reading* reading) {
    INKREAD_ASSIGN_OR_RETURN(const auto backend, inkread::MakeMetalBackend({}));
    INKREAD_ASSIGN_OR_RETURN(const auto network, inkread::PrepareNetwork(SmallNetwork(), backend->Caps()));
    INKREAD_ASSIGN_OR_RETURN(inkread::Schedule plan,
                             inkread::Plan(*network, {1, 3, kHeight, kWidth}, inkread::Head::kNetwork));
    const auto schedule = std::make_shared<const inkread::Schedule>(std::move(plan));
    reading->num_levels = schedule->steps.back().level + 1;
    INKREAD_ASSIGN_OR_RETURN(const auto weights,
                             backend->Upload({network->weights.data(), network->weights_bytes}, network));
    INKREAD_ASSIGN_OR_RETURN(const auto program, backend->Compile(schedule, weights));
    std::vector<float> input(kHeight * kWidth * 3 + 16);
    for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * 7919 % 2003) / 1001.0f - 1.0f;
    reading->output.resize(schedule->output.num_pixels() * schedule->output.c);
    const inkread::Job job{program.get(), input.data(), reading->output.data()};
    const Counts before = CountsSoFar();
    INKREAD_RETURN_IF_ERROR(backend->Run({&job, 1}));
    const Counts after = CountsSoFar();
    reading->counts = {after.buffers - before.buffers,
                       after.buffer_bytes - before.buffer_bytes,
                       after.libraries - before.libraries,
                       after.pipelines - before.pipelines,
                       after.command_buffers - before.command_buffers,
                       after.compute_encoders - before.compute_encoders,
                       after.blit_encoders - before.blit_encoders,
                       after.dispatches - before.dispatches,
                       after.barriers - before.barriers,
                       after.bindings - before.bindings,
                       after.waits - before.waits};
    return Status();
  }
};

TEST_F(ShippedBackendTest, ARunIsOneCommandBufferAndOneWait) {
  const Reading reading = Read();
  ASSERT_TRUE(reading.status.ok()) << reading.status.message();
  EXPECT_EQ(reading.counts.command_buffers, 1u);
  EXPECT_EQ(reading.counts.compute_encoders, 1u);
  EXPECT_EQ(reading.counts.blit_encoders, 0u);
  EXPECT_EQ(reading.counts.waits, 1u);
  EXPECT_EQ(reading.counts.libraries, 0u);
  EXPECT_EQ(reading.counts.pipelines, 0u);
  EXPECT_GE(reading.counts.barriers, reading.num_levels - 1);
  EXPECT_LE(reading.counts.barriers, reading.num_levels * 2);  // steps of two phases have one of their own
  EXPECT_NE(reading.output.front(), reading.output.back());
}

TEST_F(ShippedBackendTest, EightRunsGiveTheSameBits) {
  const Reading first = Read();
  for (int i = 1; i < 8; ++i) EXPECT_EQ(Read().output, first.output) << i;
}

TEST_F(ShippedBackendTest, ItWaitsForItsCommands) {
  const Reading good = Read();
  Injection late;
  late.start_delay_us = 30000;
  Inject(late);
  EXPECT_EQ(Read().output, good.output);
}

TEST_F(ShippedBackendTest, WhereMemoryIsNotUnifiedWeightsAreCopied) {
  const Reading good = Read();
  DeviceDescription discrete;
  discrete.unified_memory = false;
  SetDevices({discrete});
  const uint64_t copies = CountsSoFar().blit_encoders;
  const Reading apart = Read();
  ASSERT_TRUE(apart.status.ok()) << apart.status.message();
  EXPECT_EQ(apart.output, good.output);
  EXPECT_EQ(CountsSoFar().blit_encoders - copies, 1u);
}

TEST_F(ShippedBackendTest, EveryBarrierMatters) {
  const uint64_t barriers = Read().counts.barriers;
  ASSERT_GT(barriers, 3u);
  for (uint64_t barrier = 1; barrier <= barriers; ++barrier) {
    PlantedBugs bugs;
    bugs.ignored_barrier = barrier;
    bool differs = false;
    const std::vector<Report> reports = ReportsWith(bugs, &differs);
    ASSERT_FALSE(reports.empty()) << "barrier " << barrier << " of " << barriers;
    EXPECT_EQ(reports.front().misuse, Misuse::kRace) << reports.front().text;
  }
}

TEST_F(ShippedBackendTest, EveryBindingMatters) {
  const uint64_t bindings = Read().counts.bindings;
  constexpr uint64_t kForLabels = 3;  // the block as integers, which ctc_head alone has
  ASSERT_EQ(bindings, 5u);
  for (uint64_t binding = 1; binding <= bindings; ++binding) {
    if (binding == kForLabels) continue;
    PlantedBugs bugs;
    bugs.ignored_binding = binding;
    bool differs = false;
    const std::vector<Report> reports = ReportsWith(bugs, &differs);
    EXPECT_TRUE(differs || !reports.empty()) << "binding " << binding << " of " << bindings;
  }
}

TEST_F(ShippedBackendTest, ASwappedFlagIsSeen) {
  PlantedBugs bugs;
  bugs.flipped_constant = INKREAD_CONSTANT_IS_HALF;
  bool differs = false;
  const std::vector<Report> reports = ReportsWith(bugs, &differs);
  EXPECT_TRUE(differs || !reports.empty());
}

TEST_F(ShippedBackendTest, APipelineThatIsNotReleasedIsALeak) {
  PlantedBugs bugs;
  bugs.kept_pipeline = 1;
  Plant(bugs);
  EXPECT_TRUE(Read().status.ok());
  const std::vector<std::string> living = LiveObjects();
  ASSERT_EQ(living.size(), 2u);  // it, and the device that it keeps
  EXPECT_NE((living[0] + living[1]).find("MTLComputePipelineState"), std::string::npos);
}

TEST_F(ShippedBackendTest, NothingIsReadPastTheSlack) {
  // A run's block has a quarter more than it was asked for (backends/gpu/free_list.h), which a first run must not need.
  const uint64_t block = Read().counts.buffer_bytes;
  const uint64_t asked = block * 4 / 5;
  ASSERT_GT(asked, inkread::kArenaSlackBytes);
  PlantedBugs bugs;
  bugs.withheld_bytes = block - asked;
  bool differs = false;
  for (const Report& report : ReportsWith(bugs, &differs)) ADD_FAILURE() << report.text;
  EXPECT_FALSE(differs);
  bugs.withheld_bytes = block - asked + inkread::kArenaSlackBytes + 256;  // more than the slack
  const std::vector<Report> reports = ReportsWith(bugs, &differs);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().misuse, Misuse::kKernel) << reports.front().text;
}

TEST_F(ShippedBackendTest, EveryCallThatFailsIsAnErrorAndLeavesNothing) {
  Inject({});
  const Reading good = Read();
  const uint64_t calls = FallibleCalls();
  ASSERT_GT(calls, 10u);
  for (uint64_t call = 1; call <= calls; ++call) {
    Injection injection;
    injection.failing_call = call;
    Inject(injection);
    const Reading failed = Read();
    EXPECT_FALSE(failed.status.ok()) << "call " << call << " of " << calls;
    EXPECT_FALSE(failed.status.message().empty());
    EXPECT_EQ(LiveObjects(), std::vector<std::string>()) << "call " << call;
  }
  Inject({});
  EXPECT_EQ(Read().output, good.output);
}

TEST_F(ShippedBackendTest, AFailedRunTellsWhatKindOfFailureItWas) {
  const std::pair<CommandBufferError, StatusCode> expected[] = {
      {CommandBufferError::kTimeout, StatusCode::kDeviceLost},
      {CommandBufferError::kPageFault, StatusCode::kDeviceLost},
      {CommandBufferError::kDeviceRemoved, StatusCode::kDeviceLost},
      {CommandBufferError::kOutOfMemory, StatusCode::kOutOfMemory},
  };
  for (const auto& [error, code] : expected) {
    Injection injection;
    injection.failing_command_buffer = 1;
    injection.error = error;
    Inject(injection);
    EXPECT_EQ(Read().status.code(), code) << static_cast<int64_t>(error);
  }
  Injection injection;
  injection.failing_allocation = 1;
  Inject(injection);
  EXPECT_EQ(Read().status.code(), StatusCode::kOutOfMemory);
  injection = {};
  injection.compile_error = "program_source:1: error: no such thing";
  Inject(injection);
  const Status status = Read().status;
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_NE(status.message().find("no such thing"), std::string::npos) << status.message();
}

// Which devices are taken unasked, and which by name.
struct Choice {
  const char* why;
  int apple_family;
  uint32_t simdgroup_width;
  uint64_t threadgroup_memory_bytes;
  bool unasked, by_name;
};

TEST_F(ShippedBackendTest, TakesDevicesByFamilyAndWidth) {
  const Choice choices[] = {
      {"the oldest that is taken unasked", 7, 32, 32768, true, true},
      {"newer", 9, 32, 32768, true, true},
      {"without simdgroup matrices by family", 6, 32, 32768, false, true},
      {"of no Apple family", 0, 32, 32768, false, true},
      {"narrow simdgroups", 7, 16, 32768, false, false},
      {"little threadgroup memory", 8, 32, 1024, false, false},
  };
  for (const Choice& choice : choices) {
    DeviceDescription device;
    device.name = "The Device";
    device.apple_family = choice.apple_family;
    device.simdgroup_width = choice.simdgroup_width;
    device.threadgroup_memory_bytes = choice.threadgroup_memory_bytes;
    SetDevices({device});
    EXPECT_EQ(inkread::MakeMetalBackend({}).ok(), choice.unasked) << choice.why;
    MetalOptions named;
    named.device = "the device";
    EXPECT_EQ(inkread::MakeMetalBackend(named).ok(), choice.by_name) << choice.why;
  }
  SetDevices({});
  EXPECT_EQ(inkread::MakeMetalBackend({}).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace metal_emulator
