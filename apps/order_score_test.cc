#include "apps/order_score.h"

#include <gtest/gtest.h>

#include <utility>

namespace inkread {
namespace {

// The n-th of lines below each other.
PlacedLine Line(int n) {
  const double top = 20.0 * n;
  return {"text", {Corner{0, top}, Corner{100, top}, Corner{100, top + 10}, Corner{0, top + 10}}};
}

// A part of it: from x on, 60 px wide, enough to belong to it.
PlacedLine Part(int n, double x) {
  PlacedLine line = Line(n);
  for (const size_t corner : {0, 3}) line.quad[corner].x = x;
  for (const size_t corner : {1, 2}) line.quad[corner].x = x + 60;
  return line;
}

std::pair<int64_t, int64_t> Score(const std::vector<PlacedLine>& found) {
  OrderScore score;
  AddOrder({Line(0), Line(1), Line(2), Line(3)}, found, &score);
  return {score.pairs_in_order, score.pairs};
}

using Pair = std::pair<int64_t, int64_t>;

TEST(OrderScoreTest, CountsNeighbours) {
  EXPECT_EQ(Score({Line(0), Line(1), Line(2), Line(3)}), Pair(3, 3));
  EXPECT_EQ(Score({Line(0), Line(2), Line(1), Line(3)}), Pair(0, 3));
  EXPECT_EQ(Score({Line(2), Line(3), Line(0), Line(1)}), Pair(2, 3));
  EXPECT_EQ(Score({Line(3), Line(2), Line(1), Line(0)}), Pair(0, 3));
}

TEST(OrderScoreTest, LinesThatOnlyOneSideHasDoNotCount) {
  EXPECT_EQ(Score({Line(0), Line(9), Line(1), Line(3)}), Pair(2, 2));
  EXPECT_EQ(Score({Line(1)}), Pair(0, 0));
  EXPECT_EQ(Score({}), Pair(0, 0));
  EXPECT_FALSE(OrderScore().Share().has_value());
}

TEST(OrderScoreTest, PiecesOfALineCountOnce) {
  EXPECT_EQ(Score({Line(0), Part(1, 0), Part(1, 40), Line(2), Line(3)}), Pair(3, 3));
  EXPECT_EQ(Score({Line(0), Part(1, 0), Line(2), Part(1, 40), Line(3)}), Pair(2, 3)) << "line 2 is not before line 3";
}

TEST(OrderScoreTest, AddsUpOverImages) {
  OrderScore score;
  AddOrder({Line(0), Line(1)}, {Line(0), Line(1)}, &score);
  AddOrder({Line(0), Line(1)}, {Line(1), Line(0)}, &score);
  EXPECT_EQ(score.Share(), 0.5);
}

}  // namespace
}  // namespace inkread
