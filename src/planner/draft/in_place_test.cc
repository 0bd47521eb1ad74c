#include <gtest/gtest.h>

#include <functional>

#include "planner/draft/passes.h"
#include "planner/draft/test_draft.h"

namespace inkread {
namespace {

// Runs the pass with levels, and says whether the named step then writes the buffer that it reads through the slot.
bool WritesOver(TestDraft& t, const std::string& node, int slot) {
  AssignLevels(t.draft());
  ReuseInPlace(t.draft());
  for (const DraftStep& s : t.draft().steps) {
    if (s.step.node == node) return s.read_buffers[slot] == s.write_buffers[0];
  }
  ADD_FAILURE() << "no step " << node;
  return false;
}

TEST(ReuseInPlaceTest, AnOperandThatDiesIsWrittenOver) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), out = t.Output();
  t.Conv(in, a);
  t.Relu(a, b);
  t.Conv(b, out).step.node = "last";
  EXPECT_TRUE(WritesOver(t, "relu", 0));
  EXPECT_TRUE(t.draft().steps[2].Reads(a)) << "later readers follow to the buffer that is kept";
}

TEST(ReuseInPlaceTest, AnOperandThatIsReadLaterOrAtTheSameLevelIsKept) {
  for (const bool at_same_level : {false, true}) {
    TestDraft t;
    const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), out = t.Output();
    t.Conv(in, a);
    t.Relu(a, b);
    if (at_same_level) {
      t.Conv(a, c);
      t.Depthwise(b, out);
    } else {
      t.Conv(b, c);
      t.Depthwise(c, out, a);
    }
    EXPECT_FALSE(WritesOver(t, "relu", 0));
  }
}

TEST(ReuseInPlaceTest, InputsOfTheNetworkAreKept) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer();
  t.Relu(in, a);
  t.Conv(a, t.Output());
  EXPECT_FALSE(WritesOver(t, "relu", 0));
}

TEST(ReuseInPlaceTest, TheContractOfTheKindDecides) {
  struct Case {
    const char* node;
    bool expected;
    std::function<void(TestDraft&, int x, int residual, int y)> emit;
  };
  for (const Case& c : {
           Case{"conv", true, [](TestDraft&t, int x, int r, int y) { t.Conv(x, y, r); }},
           Case{"depthwise", false, [](TestDraft&t, int x, int r, int y) { t.Depthwise(x, y, r); }},
       }) {
    TestDraft t;
    const int in = t.Input(), x = t.Buffer(), residual = t.Buffer(), y = t.Buffer();
    t.Relu(in, x);
    t.Relu(in, residual);
    c.emit(t, x, residual, y);
    t.Softmax(y, t.Output());
    EXPECT_EQ(WritesOver(t, c.node, 2), c.expected) << c.node;
    EXPECT_FALSE(WritesOver(t, c.node, 0)) << c.node << ": a window reads rows that are written already";
  }
}

TEST(ReuseInPlaceTest, AnOperandThatIsReadTwiceIsKept) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer();
  t.Conv(in, a);
  t.Sum(a, a, b).step.node = "double";
  t.Conv(b, t.Output());
  EXPECT_FALSE(WritesOver(t, "double", 0));
}

TEST(ReuseInPlaceTest, SlicesAreKept) {
  for (const bool reads_slice : {false, true}) {
    TestDraft t;
    const int in = t.Input(), joined = t.Buffer({1, 4, 4, 16}), a = t.Buffer();
    t.draft().buffers[joined].is_whole = false;
    if (reads_slice) {
      t.Relu(t.Whole(in), t.Slice(joined, 0, 8)).step.node = "make";
      t.Relu(t.Slice(joined, 0, 8), t.Whole(a));
      t.Conv(a, t.Output());
    } else {
      t.Conv(in, a);
      t.Relu(t.Whole(a), t.Slice(joined, 0, 8));
      t.Relu(t.Slice(joined, 0, 8), t.Whole(t.Output())).step.node = "use";
    }
    EXPECT_FALSE(WritesOver(t, "relu", 0));
  }
}

TEST(ReuseInPlaceTest, AnotherElementIsKept) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer();
  t.draft().buffers[b].element = INKREAD_ELEMENT_F16;
  t.Conv(in, a);
  t.Softmax(a, b);
  t.Conv(b, t.Output());
  BindElements(t.draft());
  EXPECT_FALSE(WritesOver(t, "softmax", 0));
}

// The output takes the operand's place: the step before then writes the caller's memory.
TEST(ReuseInPlaceTest, OnlyASoftmaxWorksInTheOutput) {
  for (const bool is_softmax : {false, true}) {
    TestDraft t;
    const int in = t.Input(), a = t.Buffer(), out = t.Output();
    t.Conv(in, a);
    (is_softmax ? t.Softmax(a, out) : t.Relu(a, out)).step.node = "last";
    EXPECT_EQ(WritesOver(t, "last", 0), is_softmax);
    EXPECT_EQ(t.draft().steps[0].Writes(out), is_softmax);
  }
}

// Within a band a step runs on rows while others run on other rows: what comes in is still read, what leaves is kept.
TEST(ReuseInPlaceTest, WhatLeavesABandIsNotWrittenOverWhatComesIn) {
  for (const bool leaves : {false, true}) {
    TestDraft t;
    const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), out = t.Output();
    t.Softmax(in, a).step.node = "before";
    t.Relu(a, b);
    t.Conv(b, c);
    t.Softmax(leaves ? b : c, out);
    FormBands(t.draft(), 1 << 20);
    const DraftStep& relu = t.draft().steps[1];
    ASSERT_NE(relu.step.band, 0u);
    ReuseInPlace(t.draft());
    EXPECT_EQ(relu.read_buffers[0] == relu.write_buffers[0], !leaves);
  }
}

}  // namespace
}  // namespace inkread
