// All passes in order.
#include <gtest/gtest.h>

#include "planner/draft/passes.h"
#include "planner/draft/test_draft.h"

namespace inkread {
namespace {

DeviceCaps AllKernels() {
  DeviceCaps caps;
  caps.has_step.fill(true);
  return caps;
}

DraftSchedule SideBranch() {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), d = t.Buffer(), out = t.Output();
  t.draft().schedule.network = "test.onnx";
  t.draft().schedule.weights_bytes = 4 * 576;
  t.Conv(in, a);
  t.Relu(a, b);
  t.Conv(in, c).step.node = "side";
  t.Sum(c, b, d).step.node = "sum";
  t.Softmax(d, out);
  return std::move(t.draft());
}

TEST(FinishScheduleTest, StepsComeOutByLevelInPlaceAndWithOffsets) {
  const auto schedule = FinishSchedule(SideBranch(), AllKernels());
  ASSERT_TRUE(schedule.ok());
  EXPECT_EQ(CheckSchedule(*schedule).message(), "");
  EXPECT_EQ(PrintSchedule(*schedule),
            "test.onnx [1,4,4,8] -> [1,4,4,8] arena=512 weights=2304 macs=0\n"
            "0 @0 conv 3x3 pad=1,1 x=input+0 [1,4,4,8] w=w+0 [1,1,1,576] y=arena+0 [1,4,4,8]\n"
            "1 @0 conv 3x3 pad=1,1 x=input+0 [1,4,4,8] w=w+0 [1,1,1,576] y=output+0 [1,4,4,8]\n"
            "2 @1 elementwise relu x=arena+0 [1,4,4,8] y=arena+0 [1,4,4,8]\n"
            "3 @2 elementwise +residual x=output+0 [1,4,4,8] x2=arena+0 [1,4,4,8] y=output+0 [1,4,4,8]\n"
            "4 @3 softmax x=output+0 [1,4,4,8] y=output+0 [1,4,4,8]\n");
}

TEST(FinishScheduleTest, BandsTakeThePlaceOfLevels) {
  DeviceCaps caps = AllKernels();
  caps.band_bytes = 1 << 20;
  const auto schedule = FinishSchedule(SideBranch(), caps);
  ASSERT_TRUE(schedule.ok());
  EXPECT_EQ(CheckSchedule(*schedule).message(), "");
  const std::vector<uint32_t> bands = {1, 1, 2, 2, 0};
  ASSERT_EQ(schedule->steps.size(), bands.size());
  for (size_t i = 0; i < bands.size(); ++i) {
    EXPECT_EQ(schedule->steps[i].level, i);
    EXPECT_EQ(schedule->steps[i].band, bands[i]);
  }
}

TEST(FinishScheduleTest, OffsetsOfNarrowElementsAreBytes) {
  TestDraft t;
  const int in = t.Input(), joined = t.Buffer({1, 4, 4, 16});
  t.draft().buffers[joined].element = INKREAD_ELEMENT_F16;
  t.Relu(t.Whole(in), t.Slice(joined, 8, 8));
  t.Relu(t.Slice(joined, 8, 8), t.Whole(t.Output()));
  const auto schedule = FinishSchedule(std::move(t.draft()), AllKernels());
  ASSERT_TRUE(schedule.ok());
  EXPECT_EQ(schedule->arena_bytes, 512u);
  EXPECT_EQ(schedule->steps[0].writes[0].offset_bytes, 16u);
  EXPECT_EQ(schedule->steps[0].writes[0].element, static_cast<uint32_t>(INKREAD_ELEMENT_F16));
}

TEST(FinishScheduleTest, AMissingKernelIsRefusedWithTheNodesName) {
  DeviceCaps caps = AllKernels();
  caps.has_step[static_cast<size_t>(StepKind::kSoftmax)] = false;
  const auto schedule = FinishSchedule(SideBranch(), caps);
  EXPECT_EQ(schedule.status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(schedule.status().message(), "test.onnx: node 'softmax': the device has no kernel for softmax");
}

}  // namespace
}  // namespace inkread
