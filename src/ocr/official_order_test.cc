#include <gtest/gtest.h>

#include "ocr/reading_order.h"

namespace inkread {
namespace {

std::vector<Point> Sorted(const std::vector<Point>& top_lefts) {
  std::vector<Quad> quads;
  for (const Point& p : top_lefts) quads.push_back({p, p, p, p});
  std::vector<Point> out;
  for (const int i : OfficialOrder(quads)) out.push_back(top_lefts[static_cast<size_t>(i)]);
  return out;
}

using Points = std::vector<Point>;

TEST(OfficialOrderTest, LinesGoFromTheTopDown) {
  EXPECT_EQ(Sorted({{0, 50}, {90, 5}, {3, 20}}), (Points{{90, 5}, {3, 20}, {0, 50}}));
}

TEST(OfficialOrderTest, NearlyLevelBoxesGoFromTheLeft) {
  EXPECT_EQ(Sorted({{200, 10}, {100, 13}, {0, 19}}), (Points{{0, 19}, {100, 13}, {200, 10}}));
}

TEST(OfficialOrderTest, TenPixelsAreAnotherLine) {
  EXPECT_EQ(Sorted({{200, 10}, {0, 20}}), (Points{{200, 10}, {0, 20}}));
  EXPECT_EQ(Sorted({{200, 10}, {0, 19}}), (Points{{0, 19}, {200, 10}}));
}

TEST(OfficialOrderTest, ABoxStopsAtTheFirstNeighbourItCannotPass) {
  // The last is within 10 px of both others, but does not pass the one that is already on its left.
  EXPECT_EQ(Sorted({{300, 0}, {10, 4}, {20, 8}}), (Points{{10, 4}, {20, 8}, {300, 0}}));
  EXPECT_EQ(Sorted({{100, 0}, {300, 12}, {50, 16}}), (Points{{100, 0}, {50, 16}, {300, 12}}));
}

TEST(OfficialOrderTest, NoneAndOneStay) {
  EXPECT_TRUE(Sorted({}).empty());
  EXPECT_EQ(Sorted({{1, 2}}), (Points{{1, 2}}));
}

}  // namespace
}  // namespace inkread
