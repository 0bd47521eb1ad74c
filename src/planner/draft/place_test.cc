#include <gtest/gtest.h>

#include "planner/draft/passes.h"
#include "planner/draft/test_draft.h"

namespace inkread {
namespace {

TEST(PlaceBuffersTest, BuffersInUseTogetherLieApartAndOthersShare) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer();
  t.Conv(in, a);
  t.Conv(a, b);
  t.Conv(b, c);
  t.Conv(c, t.Output());
  AssignLevels(t.draft());
  PlaceBuffers(t.draft());
  EXPECT_EQ(t.draft().schedule.arena_bytes, 2 * TestDraft::kBytes);
  EXPECT_NE(t.step(1).reads[0].offset_bytes, t.step(1).writes[0].offset_bytes);
  EXPECT_EQ(t.step(0).writes[0].offset_bytes, t.step(2).writes[0].offset_bytes);
}

TEST(PlaceBuffersTest, OperandsTakeTheSpaceOfTheirBuffers) {
  TestDraft t;
  const int in = t.Input(), joined = t.Buffer({1, 4, 4, 16});
  t.Relu(t.Whole(in), t.Slice(joined, 8, 8));
  t.Relu(t.Slice(joined, 8, 8), t.Whole(t.Output()));
  BindElements(t.draft());
  AssignLevels(t.draft());
  PlaceBuffers(t.draft());
  EXPECT_EQ(t.step(0).reads[0].space, Space::kInput);
  EXPECT_EQ(t.step(0).writes[0].space, Space::kArena);
  EXPECT_EQ(t.step(0).writes[0].offset_bytes, 8 * sizeof(float)) << "the slice's own offset stays";
  EXPECT_EQ(t.step(1).writes[0].space, Space::kOutput);
  EXPECT_EQ(t.step(1).writes[0].offset_bytes, 0u);
}

TEST(PlaceBuffersTest, ABufferThatNothingUsesTakesNoMemory) {
  TestDraft t;
  t.Buffer();
  t.Conv(t.Input(), t.Output());
  AssignLevels(t.draft());
  PlaceBuffers(t.draft());
  EXPECT_EQ(t.draft().schedule.arena_bytes, 0u);
}

// While rows of a band's last step are made, rows of its first may be read: what crosses its border lives throughout.
TEST(PlaceBuffersTest, WhatCrossesABandLivesAsLongAsTheBand) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer();
  t.Softmax(in, a);
  t.Conv(a, b);
  t.Conv(b, c);
  t.Softmax(c, t.Output());
  FormBands(t.draft(), 1 << 20);
  ASSERT_NE(t.step(1).band, 0u);
  ASSERT_EQ(t.step(1).band, t.step(2).band);
  PlaceBuffers(t.draft());
  EXPECT_NE(t.step(2).writes[0].offset_bytes, t.step(1).reads[0].offset_bytes) << "c over a, which the band reads";
}

}  // namespace
}  // namespace inkread
