#include <gtest/gtest.h>

#include "planner/draft/passes.h"
#include "planner/draft/test_draft.h"

namespace inkread {
namespace {

constexpr uint64_t kAmple = 1 << 20;

std::vector<uint32_t> BandsOf(TestDraft& t) {
  std::vector<uint32_t> bands;
  for (const DraftStep& s : t.draft().steps) bands.push_back(s.step.band);
  return bands;
}

TEST(BandsTest, StepsOfRowsThatFollowEachOtherShareABand) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), out = t.Output();
  t.Conv(in, a);
  t.Relu(a, b);
  t.Softmax(b, c);  // its rows are not rows of an image
  t.Conv(c, out);
  FormBands(t.draft(), kAmple);
  EXPECT_EQ(BandsOf(t), (std::vector<uint32_t>{1, 1, 0, 0}));
  EXPECT_EQ(t.Levels(), (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(BandsTest, AStepAloneIsNoBand) {
  TestDraft t;
  t.Conv(t.Input(), t.Output());
  FormBands(t.draft(), kAmple);
  EXPECT_EQ(BandsOf(t), (std::vector<uint32_t>{0}));
}

TEST(BandsTest, WeightsAndRowsOfABandAreBounded) {
  for (const bool fits : {false, true}) {
    TestDraft t;
    const int in = t.Input(), a = t.Buffer(), out = t.Output();
    t.Conv(in, a);
    t.Conv(a, out);
    // 576 weights each, and of each result three rows of four pixels of 8 channels, all of 4 bytes.
    const uint64_t bytes = 2 * (9 * 8 * 8 + 3 * 4 * 8) * 4;
    FormBands(t.draft(), fits ? bytes : bytes - 1);
    EXPECT_EQ(BandsOf(t), (fits ? std::vector<uint32_t>{1, 1} : std::vector<uint32_t>{0, 0}));
  }
}

// The side branch is computed from the input, but only the sum needs it.
TEST(BandsTest, ASideBranchMovesToItsReader) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), out = t.Output();
  t.Depthwise(in, c).step.node = "side";
  t.Conv(in, a);
  t.Conv(a, b).step.node = "conv2";
  t.Sum(b, c, out).step.node = "sum";
  FormBands(t.draft(), kAmple);
  EXPECT_EQ(t.Order(), "conv conv2 side sum");
  EXPECT_EQ(BandsOf(t), (std::vector<uint32_t>{1, 1, 2, 2}));
}

TEST(BandsTest, ValuesThatLeaveTheBandAreMarked) {
  TestDraft t;
  const int in = t.Input(), inner = t.Buffer(), leaving = t.Buffer(), b = t.Buffer(), out = t.Output();
  t.Conv(in, inner);
  t.Conv(inner, leaving);
  t.Conv(leaving, b);
  t.Softmax(leaving, out);
  FormBands(t.draft(), kAmple);
  ASSERT_EQ(BandsOf(t), (std::vector<uint32_t>{1, 1, 1, 0}));
  EXPECT_EQ(t.step(0).reads[0].band_value, 0u) << "the input comes from outside";
  EXPECT_NE(t.step(0).writes[0].band_value, 0u);
  EXPECT_EQ(t.step(0).writes[0].band_value, t.step(1).reads[0].band_value);
  EXPECT_FALSE(t.step(0).writes[0].leaves_band);
  EXPECT_TRUE(t.step(1).writes[0].leaves_band);
  EXPECT_TRUE(t.step(2).reads[0].leaves_band);
  EXPECT_EQ(t.step(3).reads[0].band_value, 0u) << "a step outside reads the tensor's own memory";
}

// A slice that was there before the band is not of its making, though the band writes another one of that buffer.
TEST(BandsTest, ASliceOfAnEarlierStepComesFromOutside) {
  TestDraft t;
  const int in = t.Input(), joined = t.Buffer({1, 4, 4, 16}), a = t.Buffer(), out = t.Output();
  t.draft().buffers[joined].is_whole = false;
  DraftStep& before = t.Softmax(in, a);
  before.Write(0, t.Slice(joined, 0, 8));
  t.Relu(t.Slice(joined, 0, 8), t.Whole(a));
  t.Relu(t.Whole(a), t.Slice(joined, 8, 8));
  t.Softmax(a, out);
  FormBands(t.draft(), kAmple);
  ASSERT_EQ(BandsOf(t), (std::vector<uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(t.step(1).reads[0].band_value, 0u);
  EXPECT_NE(t.step(2).writes[0].band_value, 0u);
}

}  // namespace
}  // namespace inkread
