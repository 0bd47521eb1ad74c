#include <gtest/gtest.h>

#include "planner/draft/passes.h"
#include "planner/draft/test_draft.h"

namespace inkread {
namespace {

TEST(LevelsTest, AStepFollowsAllThatItReads) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), b = t.Buffer(), c = t.Buffer(), out = t.Output();
  t.Relu(in, a);
  t.Relu(a, b);
  t.Relu(in, c);
  t.Sum(b, c, out);
  AssignLevels(t.draft());
  EXPECT_EQ(t.Levels(), (std::vector<uint32_t>{0, 1, 0, 2}));
}

TEST(LevelsTest, AReaderOfSlicesFollowsTheLastOfThem) {
  TestDraft t;
  const int in = t.Input(), a = t.Buffer(), joined = t.Buffer({1, 4, 4, 16}), out = t.Output();
  t.draft().buffers[joined].is_whole = false;
  t.Relu(in, a);
  t.Relu(t.Whole(a), t.Slice(joined, 0, 8));
  t.Relu(t.Whole(in), t.Slice(joined, 8, 8));
  t.Relu(t.Slice(joined, 8, 8), t.Whole(out));
  AssignLevels(t.draft());
  EXPECT_EQ(t.Levels(), (std::vector<uint32_t>{0, 1, 0, 2}));
}

TEST(LevelsTest, SortingKeepsTheOrderWithinALevel) {
  TestDraft t;
  const int in = t.Input();
  for (const uint32_t level : {2u, 0u, 1u, 0u}) {
    DraftStep& s = t.Relu(in, t.Buffer());
    s.step.level = level;
    s.step.node = std::to_string(t.draft().steps.size());
  }
  SortByLevel(t.draft());
  EXPECT_EQ(t.Order(), "2 4 3 1");
}

}  // namespace
}  // namespace inkread
