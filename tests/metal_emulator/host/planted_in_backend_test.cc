// Bugs planted under the Metal backend as it is shipped, one after another: each is found. tests/metal has what it does
// without them, tests/conformance whether its results are right.
#include <gtest/gtest.h>

#include "backends/gpu/steps/kernel_constants.h"
#include "backends/metal/metal_backend.h"
#include "tests/metal_emulator/host/emulator.h"
#include "tests/planned_network.h"

namespace metal_emulator {
namespace {

using inkread::Status;

constexpr int64_t kHeight = 13, kWidth = 11;

// Levels with two steps, a depthwise step, residuals, a squeeze and excite that is another layer's gate, a last layer
// whose tiles have edges.
inkread::Graph SmallNetwork() {
  inkread::GraphBuilder b;
  const auto x = b.Input({1, 3, -1, -1});
  const auto stem = b.Node(inkread::OpType::kRelu, {Conv(b, x, 3, 20, 3)});
  const auto depthwise =
      b.Node(inkread::OpType::kConv, {stem, Ramp(b, {20, 1, 3, 3}), Ramp(b, {20})}, inkread::Window(3, 1, 20));
  const auto joined = b.Node(inkread::OpType::kAdd, {Conv(b, depthwise, 20, 20), stem});
  const auto left = Conv(b, joined, 20, 16), right = Conv(b, joined, 20, 16, 3);
  const auto gate =
      b.Node(inkread::OpType::kSigmoid, {Conv(b, b.Node(inkread::OpType::kGlobalAveragePool, {left}), 16, 16)});
  const auto gated = b.Node(inkread::OpType::kMul, {right, gate});
  return b.Output(Conv(b, b.Node(inkread::OpType::kAdd, {left, gated}), 16, 9));
}

struct Reading {
  Status status;
  std::shared_ptr<const inkread::Schedule> schedule;
  std::vector<float> output;
  uint64_t barriers = 0, bindings = 0, buffer_bytes = 0;  // of the run alone
};

class PlantedInBackendTest : public testing::Test {
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
    reading->schedule = schedule;
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
    reading->barriers = after.barriers - before.barriers;
    reading->bindings = after.bindings - before.bindings;
    reading->buffer_bytes = after.buffer_bytes - before.buffer_bytes;
    return Status();
  }
};

TEST_F(PlantedInBackendTest, ItWaitsForItsCommands) {
  const Reading good = Read();
  ASSERT_TRUE(good.status.ok()) << good.status.message();
  EXPECT_NE(good.output.front(), good.output.back());
  Injection late;
  late.start_delay_us = 30000;
  Inject(late);
  EXPECT_EQ(Read().output, good.output);
}

TEST_F(PlantedInBackendTest, EveryBarrierMatters) {
  const uint64_t barriers = Read().barriers;
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

TEST_F(PlantedInBackendTest, EveryBindingMatters) {
  const uint64_t bindings = Read().bindings;
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

// A residual, and whatever else an epilogue adds, reaches the kernel as words of its parameters.
TEST_F(PlantedInBackendTest, EveryPartOfAnEpilogueMatters) {
  const auto schedule = Read().schedule;
  ASSERT_NE(schedule, nullptr);
  uint32_t inkread::EpilogueParams::*const parts[] = {
      &inkread::EpilogueParams::has_bias, &inkread::EpilogueParams::activation, &inkread::EpilogueParams::has_gate,
      &inkread::EpilogueParams::has_residual};
  for (size_t part = 0; part < std::size(parts); ++part) {
    SCOPED_TRACE(inkread::StrCat("part ", part));
    const auto has_part = [&](const inkread::Step& step) {
      return step.kind() == inkread::StepKind::kConv && step.epilogue.*parts[part] != 0;
    };
    ASSERT_GT(std::count_if(schedule->steps.begin(), schedule->steps.end(), has_part), 0);
    const inkread::EpilogueParams epilogue{};
    const auto* const word = &(epilogue.*parts[part]);
    PlantedBugs bugs;
    bugs.cleared_kernel = "conv";
    bugs.cleared_word = (sizeof(inkread::ConvParams) + static_cast<size_t>(reinterpret_cast<const char*>(word) -
                                                                           reinterpret_cast<const char*>(&epilogue))) /
                        sizeof(uint32_t);
    bool differs = false;
    const std::vector<Report> reports = ReportsWith(bugs, &differs);
    EXPECT_TRUE(differs || !reports.empty());
  }
}

TEST_F(PlantedInBackendTest, ASwappedFlagIsSeen) {
  for (const int64_t flag : {INKREAD_CONSTANT_VALUES_ARE_F16, INKREAD_CONSTANT_LOADS_DIRECTLY,
                             INKREAD_CONSTANT_X_IS_F32, INKREAD_CONSTANT_Y_IS_F32}) {
    SCOPED_TRACE(inkread::StrCat("function constant ", flag));
    PlantedBugs bugs;
    bugs.flipped_constant = flag;
    bool differs = false;
    const std::vector<Report> reports = ReportsWith(bugs, &differs);
    EXPECT_TRUE(differs || !reports.empty());
  }
}

TEST_F(PlantedInBackendTest, APipelineThatIsNotReleasedIsALeak) {
  PlantedBugs bugs;
  bugs.kept_pipeline = 1;
  Plant(bugs);
  EXPECT_TRUE(Read().status.ok());
  const std::vector<std::string> living = LiveObjects();
  ASSERT_EQ(living.size(), 2u);  // it, and the device that it keeps
  EXPECT_NE((living[0] + living[1]).find("MTLComputePipelineState"), std::string::npos);
}

TEST_F(PlantedInBackendTest, NothingIsReadPastTheSlack) {
  // A run's block has a quarter more than it was asked for (backends/gpu/free_list.h), which a first run must not need.
  const uint64_t block = Read().buffer_bytes;
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

}  // namespace
}  // namespace metal_emulator
