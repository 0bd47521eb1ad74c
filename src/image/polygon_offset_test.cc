// Compares distances and outlines of grown quads with known values and with Clipper 6.
#include "image/polygon_offset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "image/min_area_rect.h"

namespace inkread {
namespace {

const QuadF kBox = {PointF{10, 10}, PointF{40, 10}, PointF{40, 20}, PointF{10, 20}};

TEST(UnclipDistanceTest, IsAreaTimesRatioOverPerimeter) {
  EXPECT_DOUBLE_EQ(UnclipDistance(kBox, 1.5), 30 * 10 * 1.5 / 80);
  EXPECT_EQ(UnclipDistance({}, 1.5), 0);
}

TEST(OffsetQuadTest, GrowsABoxByTheDistanceOnEachSide) {
  const std::vector<Point> hull = ConvexHull(OffsetQuad(kBox, 5));
  const auto [left, right] = std::minmax_element(hull.begin(), hull.end(), [](Point p, Point q) { return p.x < q.x; });
  const auto [top, bottom] = std::minmax_element(hull.begin(), hull.end(), [](Point p, Point q) { return p.y < q.y; });
  EXPECT_EQ(left->x, 5);
  EXPECT_EQ(right->x, 45);
  EXPECT_EQ(top->y, 5);
  EXPECT_EQ(bottom->y, 25);
  for (const Point& p : hull) {
    // Each vertex is on the rounded corner: 5 px from the box, up to rounding and the tolerance of the arc.
    const double dx = std::max({10.0 - p.x, 0.0, p.x - 40.0}), dy = std::max({10.0 - p.y, 0.0, p.y - 20.0});
    EXPECT_NEAR(std::hypot(dx, dy), 5, 0.71);
  }
}

TEST(OffsetQuadTest, TruncatesCornersAndTakesEitherDirection) {
  const QuadF fractional = {PointF{10.9f, 10.9f}, PointF{40.9f, 10.9f}, PointF{40.9f, 20.9f}, PointF{10.9f, 20.9f}};
  const QuadF reversed = {kBox[3], kBox[2], kBox[1], kBox[0]};
  const std::vector<Point> expected = ConvexHull(OffsetQuad(kBox, 5));
  EXPECT_EQ(ConvexHull(OffsetQuad(fractional, 5)), expected);
  EXPECT_EQ(ConvexHull(OffsetQuad(reversed, 5)), expected);
}

TEST(OffsetQuadTest, NothingGrowsFromLessThanATriangle) {
  const QuadF segment = {PointF{1, 1}, PointF{1.5f, 1.2f}, PointF{9, 1}, PointF{9.9f, 1.9f}};
  EXPECT_TRUE(OffsetQuad(segment, 5).empty());
  EXPECT_TRUE(OffsetQuad(kBox, 0).empty());
}

TEST(OffsetQuadTest, HullsAreClippers) {
  struct Case {
    QuadF quad;
    double distance;
    std::vector<Point> hull;
  };
  const Case kCases[] = {
      {{PointF{202, 109}, PointF{220, 105}, PointF{225, 130}, PointF{207, 134}},
       2.5,
       {{219, 103}, {222, 103}, {227, 130}, {227, 132}, {208, 136}, {205, 136}, {200, 109}, {200, 107}}},
      {{PointF{245, 92}, PointF{327, 101}, PointF{327, 109}, PointF{244, 100}},
       2.5,
       {{244, 90},
        {245, 90},
        {327, 99},
        {329, 100},
        {330, 101},
        {330, 109},
        {329, 111},
        {327, 111},
        {244, 102},
        {242, 101},
        {242, 100},
        {243, 92}}},
      {{PointF{97, 153}, PointF{128, 110}, PointF{143, 120}, PointF{112, 163}},
       7.125,
       {{125, 103},
        {129, 103},
        {132, 104},
        {147, 114},
        {149, 117},
        {150, 121},
        {149, 124},
        {118, 167},
        {115, 170},
        {111, 170},
        {108, 169},
        {93, 159},
        {91, 156},
        {90, 152},
        {91, 149},
        {122, 106}}},
      {{PointF{26, 124}, PointF{76, 50}, PointF{86, 56}, PointF{35, 130}},
       4.75,
       {{74, 45},
        {78, 46},
        {88, 52},
        {90, 54},
        {91, 57},
        {90, 59},
        {39, 133},
        {36, 135},
        {32, 134},
        {23, 128},
        {22, 126},
        {22, 121},
        {72, 47}}},
  };
  for (const Case& c : kCases) EXPECT_EQ(ConvexHull(OffsetQuad(c.quad, c.distance)), c.hull);
}

}  // namespace
}  // namespace inkread
