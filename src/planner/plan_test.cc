// Printed plans against the *.plan.txt files beside this test. `planner_test --update` writes them anew.
#include "planner/plan.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/planned_network.h"

namespace inkread {
namespace {

bool update = false;

void ExpectPlan(const std::string& name, const Graph& graph, const Dims& dims, Head head = Head::kNetwork,
                uint64_t band_bytes = 0, uint32_t storage = INKREAD_ELEMENT_F32) {
  const auto network = Prepared(graph, band_bytes, storage);
  ASSERT_NE(network, nullptr);
  const auto plan = Plan(*network, dims, head);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(CheckSchedule(*plan).message(), "");
  const std::string path = StrCat(INKREAD_SOURCE_DIR, "/src/planner/", name, ".plan.txt");
  if (update) std::ofstream(path) << PrintSchedule(*plan);
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(PrintSchedule(*plan), expected.str());
}

Graph DetectorBlock() {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 3, -1, -1});
  WindowAttrs stem = Window(3, 1);
  stem.stride = {2, 2};
  ValueId y = b.Node(OpType::kHardSwish, {b.Node(OpType::kConv, {x, Ramp(b, {8, 3, 3, 3}), Ramp(b, {8})}, stem)});
  const ValueId dw =
      b.Node(OpType::kRelu, {b.Node(OpType::kConv, {y, Ramp(b, {8, 1, 3, 3}), Ramp(b, {8})}, Window(3, 1, 8))});
  ValueId gate = Conv(b, b.Node(OpType::kGlobalAveragePool, {dw}), 8, 2);
  gate = b.Node(OpType::kHardSigmoid, {Conv(b, b.Node(OpType::kRelu, {gate}), 2, 8)}, ScalarAttrs{0.2f, 0.5f, 0});
  y = b.Node(OpType::kAdd, {y, Conv(b, b.Node(OpType::kMul, {dw, gate}), 8, 8)});
  WindowAttrs up = Window(2, 0);
  up.stride = {2, 2};
  y = b.Node(OpType::kConcat, {b.Node(OpType::kConvTranspose, {y, Ramp(b, {8, 4, 2, 2}), Ramp(b, {4})}, up), x},
             AxesAttrs{{1}, true, false});
  return b.Output(b.Node(OpType::kSigmoid, {Conv(b, y, 7, 1)}));
}

TEST(PlanTest, ADetectorsBlock) { ExpectPlan("detector_block", DetectorBlock(), {1, 3, 8, 12}); }

TEST(PlanTest, ADetectorsBlockInBands) {
  ExpectPlan("detector_block_bands", DetectorBlock(), {1, 3, 8, 12}, Head::kNetwork, 1 << 20);
}

TEST(PlanTest, ADetectorsBlockStoredInF16) {
  ExpectPlan("detector_block_f16", DetectorBlock(), {1, 3, 8, 12}, Head::kNetwork, 0, INKREAD_ELEMENT_F16);
}

// Blocks that read one slice of a Concat's result and write the next: the slice was there before the band.
TEST(PlanTest, ASliceMadeBeforeTheBandComesFromOutsideIt) {
  GraphBuilder b;
  const ValueId a = Conv(b, b.Input({1, 8, 16, 16}), 8, 8);
  const ValueId inner = Conv(b, a, 8, 8);
  const ValueId next = b.Node(OpType::kConv, {inner, Ramp(b, {8, 1, 5, 5}), Ramp(b, {8})}, Window(5, 2, 8));
  const Graph graph = b.Output(Conv(b, b.Node(OpType::kConcat, {a, next}, AxesAttrs{{1}, true, false}), 16, 8));
  const auto plan = Plan(*Prepared(graph, 1 << 20), {1, 8, 16, 16}, Head::kNetwork);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(CheckSchedule(*plan).message(), "");
  int num_outside = 0;
  for (size_t i = 1; i < plan->steps.size(); ++i) {
    const Step& step = plan->steps[i];
    if (step.band == 0 || step.reads[0].ld != 16 || step.reads[0].shape.c != 8) continue;
    EXPECT_EQ(step.reads[0].band_value, 0u) << PrintSchedule(*plan);
    ++num_outside;
  }
  EXPECT_EQ(num_outside, 1) << PrintSchedule(*plan);
}

TEST(PlanTest, ABandTakesNoMoreThanItMay) {
  GraphBuilder b;
  ValueId y = b.Input({1, 8, 16, 16});
  for (int i = 0; i < 6; ++i) y = Conv(b, y, 8, 8, 3);
  const Graph graph = b.Output(y);
  const auto num_bands = [&](uint64_t bytes) {
    std::set<uint32_t> bands;
    const auto plan = Plan(*Prepared(graph, bytes), {1, 8, 16, 16}, Head::kNetwork);
    for (const Step& step : plan->steps) bands.insert(step.band);
    bands.erase(0);
    return bands.size();
  };
  // A step has 4.7 KB of weights and three rows of half a KB.
  EXPECT_EQ(num_bands(1 << 20), 1u);
  EXPECT_EQ(num_bands(14 << 10), 3u);
  EXPECT_EQ(num_bands(1), 0u);
  EXPECT_EQ(num_bands(0), 0u);
}

Graph Recogniser() {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 3, 4, -1});
  WindowAttrs down = Window(1, 0);
  down.kernel = down.stride = {4, 1};
  ValueId y = b.Node(OpType::kConv, {x, Ramp(b, {6, 3, 4, 1}), Ramp(b, {6})}, down);
  y = b.Node(OpType::kSqueeze, {y}, AxesAttrs{{2}, true, false});
  y = b.Node(OpType::kTranspose, {y}, PermAttrs{{0, 2, 1}});
  y = b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {y, Ramp(b, {6, 20})}), Ramp(b, {20})});
  return b.Output(b.Node(OpType::kSoftmax, {y}, AxesAttrs{{2}, true, false}));
}

TEST(PlanTest, ARecogniser) { ExpectPlan("recogniser", Recogniser(), {2, 3, 4, 9}); }
TEST(PlanTest, ARecognisersCtcHeadStoredInBf16) {
  ExpectPlan("recogniser_ctc_bf16", Recogniser(), {2, 3, 4, 9}, Head::kCtc, 0, INKREAD_ELEMENT_BF16);
}
TEST(PlanTest, ASoftmaxThatWidensNeedsNoCopy) {
  for (bool widens : {false, true}) {
    DeviceCaps caps = MakeReferenceBackend(16)->Caps();
    caps.storage = INKREAD_ELEMENT_BF16;
    caps.softmax_widens = widens;
    const auto network = PrepareNetwork(Recogniser(), caps);
    ASSERT_TRUE(network.ok());
    const auto plan = Plan(**network, {2, 3, 4, 9}, Head::kNetwork);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(CheckSchedule(*plan).message(), "");
    const Step& last = plan->steps.back();
    EXPECT_EQ(last.kind(), widens ? StepKind::kSoftmax : StepKind::kCopy);
    EXPECT_EQ(last.reads[0].element, static_cast<uint32_t>(INKREAD_ELEMENT_BF16));
    EXPECT_EQ(last.writes[0].space, Space::kOutput);
  }
}
TEST(PlanTest, ARecognisersCtcHead) { ExpectPlan("recogniser_ctc", Recogniser(), {2, 3, 4, 9}, Head::kCtc); }

TEST(PlanTest, ShapesThatTheNetworkDoesNotTakeAreInvalid) {
  const auto network = Prepared(Recogniser());
  for (const Dims& dims :
       {Dims{1, 3, 4, 0}, Dims{1, 3, 5, 9}, Dims{1, 4, 4, 9}, Dims{1, 3, 4}, Dims{1, 3, 4, int64_t{1} << 33}}) {
    EXPECT_EQ(Plan(*network, dims, Head::kNetwork).status().code(), StatusCode::kInvalidArgument) << DimsToString(dims);
  }
}

TEST(PlanTest, TheInputIsReadWithItsChannelsElsewhere) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 3, 4, 5});
  EXPECT_EQ(Difference(b.Output(b.Node(OpType::kSoftmax, {x}, AxesAttrs{{3}, true, false})), {1, 3, 4, 5}), "");
}

TEST(PlanTest, AnyNumberOfViewsInARow) {
  GraphBuilder b;
  ValueId y = b.Node(OpType::kRelu, {b.Input({1, 3, 4, 5})});
  for (int i = 0; i < 30000; ++i) y = b.Node(OpType::kTranspose, {y}, PermAttrs{{0, 1, 3, 2}});
  const auto network = Prepared(b.Output(b.Node(OpType::kSigmoid, {y})));
  EXPECT_TRUE(Plan(*network, {1, 3, 4, 5}, Head::kNetwork).ok());
}

TEST(PlanTest, PrintsItsTime) {
  GraphBuilder b;
  ValueId y = b.Input({-1, 3, -1, -1});
  y = Conv(b, y, 3, 8);
  for (int i = 0; i < 150; ++i) {
    const ValueId c = b.Node(OpType::kRelu, {Conv(b, y, 8, 8, 3)});
    y = b.Node(OpType::kAdd, {y, Conv(b, c, 8, 8)});
  }
  const auto network = Prepared(b.Output(y));
  const auto start = std::chrono::steady_clock::now();
  const auto plan = Plan(*network, {1, 3, 480, 640}, Head::kNetwork);
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(CheckSchedule(*plan).message(), "");
  std::printf("a plan of %zu steps: %.0f us\n", plan->steps.size(), time.count());
}

}  // namespace

void UpdatePlans() { update = true; }

}  // namespace inkread

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "--update") == 0) inkread::UpdatePlans();
  return RUN_ALL_TESTS();
}
