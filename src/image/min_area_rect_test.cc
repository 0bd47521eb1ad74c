// Compares hulls with a brute-force reference and rectangles with known answers; some bits are taken from OpenCV 4.10.
#include "image/min_area_rect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace inkread {
namespace {

// p is a strict corner of the hull if some line through p and another point has all points on one side, and p is not
// between two other points of that line.
std::vector<Point> ReferenceHullCorners(const std::vector<Point>& points) {
  std::vector<Point> out;
  for (const Point& p : points) {
    bool is_corner = false;
    for (const Point& q : points) {
      if (p == q) continue;
      bool all_on_one_side = true, is_end = true;
      for (const Point& r : points) {
        const long turn = long{q.x - p.x} * (r.y - p.y) - long{q.y - p.y} * (r.x - p.x);
        if (turn < 0) all_on_one_side = false;
        const long along = long{q.x - p.x} * (r.x - p.x) + long{q.y - p.y} * (r.y - p.y);
        if (turn == 0 && along < 0) is_end = false;
      }
      is_corner |= all_on_one_side && is_end;
    }
    if (is_corner && std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
  }
  return out;
}

bool IsAbove(Point p, Point q) { return p.y != q.y ? p.y < q.y : p.x < q.x; }

TEST(ConvexHullTest, AgreesWithTheReferenceAndGoesClockwiseFromTheTop) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const int range = 1 + i % 12;
    std::vector<Point> points(2 + random() % 25);
    for (Point& p : points) {
      p = {static_cast<int>(random() % static_cast<unsigned>(range)) - 5, static_cast<int>(random() % 9) - 3};
    }
    std::vector<Point> hull = ConvexHull(points);
    ASSERT_FALSE(hull.empty());
    EXPECT_EQ(hull[0], *std::min_element(points.begin(), points.end(), IsAbove));
    if (hull.size() >= 3) {
      for (size_t k = 0; k < hull.size(); ++k) {
        const Point a = hull[k], b = hull[(k + 1) % hull.size()], c = hull[(k + 2) % hull.size()];
        EXPECT_GT((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x), 0);
      }
    }
    std::vector<Point> expected = ReferenceHullCorners(points);
    if (expected.empty()) expected = {points[0]};  // all points are equal
    std::sort(expected.begin(), expected.end(), IsAbove);
    std::sort(hull.begin(), hull.end(), IsAbove);
    EXPECT_EQ(hull, expected);
  }
}

TEST(ConvexHullTest, PointsOnALineAreASegment) {
  const std::vector<Point> points = {{0, 0}, {1, 1}, {3, 3}, {2, 2}, {3, 3}};
  EXPECT_EQ(ConvexHull(points), (std::vector<Point>{{0, 0}, {3, 3}}));
  EXPECT_TRUE(ConvexHull(std::vector<Point>{}).empty());
}

TEST(MinAreaRectTest, OfAnUprightBoxIsTheBox) {
  const Quad box = {Point{3, 4}, Point{13, 4}, Point{13, 9}, Point{3, 9}};
  const MinAreaRect rect = MinAreaRectOfQuad(box);
  EXPECT_EQ(rect.centre, (PointF{8, 6.5f}));
  EXPECT_EQ(OrderedCorners(rect), (QuadF{PointF{3, 4}, PointF{13, 4}, PointF{13, 9}, PointF{3, 9}}));
}

TEST(MinAreaRectTest, OfPointsAndSegmentsHasNoArea) {
  const MinAreaRect point = FindMinAreaRect(std::vector<Point>{{5, 6}});
  EXPECT_EQ(point.centre, (PointF{5, 6}));
  EXPECT_EQ(point.width, 0);
  EXPECT_EQ(point.height, 0);
  const MinAreaRect segment = FindMinAreaRect(std::vector<Point>{{0, 0}, {3, 4}});
  EXPECT_EQ(segment.centre, (PointF{1.5f, 2}));
  EXPECT_EQ(segment.width, 5);
  EXPECT_EQ(segment.height, 0);
}

TEST(MinAreaRectTest, CoversItsHullAndTouchesIt) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<Point> points(3 + random() % 20);
    for (Point& p : points) p = {static_cast<int>(random() % 200), static_cast<int>(random() % 60)};
    const std::vector<Point> hull = ConvexHull(points);
    if (hull.size() < 3) continue;
    const MinAreaRect rect = FindMinAreaRect(hull);
    const double angle = rect.angle_deg * 3.14159265358979 / 180;
    double furthest_x = 0, furthest_y = 0;
    for (const Point& p : hull) {
      const double dx = p.x - rect.centre.x, dy = p.y - rect.centre.y;
      furthest_x = std::max(furthest_x, std::fabs(dx * std::cos(angle) + dy * std::sin(angle)));
      furthest_y = std::max(furthest_y, std::fabs(dy * std::cos(angle) - dx * std::sin(angle)));
    }
    // Float coordinates up to 200 have a rounding error of 200 * 2^-24 = 1.2e-5, and about ten of them are summed.
    EXPECT_NEAR(furthest_x, rect.width / 2, 2e-4);
    EXPECT_NEAR(furthest_y, rect.height / 2, 2e-4);
  }
}

TEST(MinAreaRectTest, CornersHaveTheBitsOfOpenCv) {
  struct Case {
    Quad box;
    QuadF corners;
  };
  const Case kCases[] = {
      {{Point{39, 143}, Point{154, 201}, Point{151, 206}, Point{36, 149}},
       {PointF{0x1.3800000000000p+5f, 0x1.1e00020000000p+7f}, PointF{0x1.3466660000000p+7f, 0x1.9133360000000p+7f},
        PointF{0x1.2e66660000000p+7f, 0x1.9d33360000000p+7f}, PointF{0x1.2000000000000p+5f, 0x1.2a00020000000p+7f}}},
      {{Point{365, 40}, Point{401, 55}, Point{384, 95}, Point{349, 81}},
       {PointF{0x1.6d00000000000p+8f, 0x1.3ffffc0000000p+5f}, PointF{0x1.9100000000000p+8f, 0x1.b7fffc0000000p+5f},
        PointF{0x1.8013b00000000p+8f, 0x1.7e76260000000p+6f}, PointF{0x1.5c13b00000000p+8f, 0x1.4276260000000p+6f}}},
      {{Point{119, 142}, Point{245, 200}, Point{239, 214}, Point{113, 155}},
       {PointF{0x1.dc3bf00000000p+6f, 0x1.1bbf0c0000000p+7f}, PointF{0x1.eac2d00000000p+7f, 0x1.9059e80000000p+7f},
        PointF{0x1.de00000000000p+7f, 0x1.ac00000000000p+7f}, PointF{0x1.c2b6500000000p+6f, 0x1.3765240000000p+7f}}},
      {{Point{318, 160}, Point{351, 165}, Point{334, 276}, Point{301, 270}},
       {PointF{0x1.3ddbc20000000p+8f, 0x1.3fd93a0000000p+7f}, PointF{0x1.5efffe0000000p+8f, 0x1.4a00000000000p+7f},
        PointF{0x1.4dfffe0000000p+8f, 0x1.1400000000000p+8f}, PointF{0x1.2cdbc20000000p+8f, 0x1.0eec9e0000000p+8f}}},
      {{Point{377, 43}, Point{430, 150}, Point{410, 160}, Point{357, 52}},
       {PointF{0x1.7912c20000000p+8f, 0x1.5131ac0000000p+5f}, PointF{0x1.ae12c20000000p+8f, 0x1.2c4c6c0000000p+7f},
        PointF{0x1.9a00020000000p+8f, 0x1.4000000000000p+7f}, PointF{0x1.6500020000000p+8f, 0x1.a000040000000p+5f}}},
      {{Point{188, 60}, Point{340, 125}, Point{326, 157}, Point{175, 93}},
       {PointF{0x1.7800000000000p+7f, 0x1.e000000000000p+5f}, PointF{0x1.5400000000000p+8f, 0x1.f400000000000p+6f},
        PointF{0x1.460f600000000p+8f, 0x1.3b32340000000p+7f}, PointF{0x1.5c1ec00000000p+7f, 0x1.7264680000000p+6f}}},
  };
  for (const Case& c : kCases) EXPECT_EQ(OrderedCorners(MinAreaRectOfQuad(c.box)), c.corners);
}

}  // namespace
}  // namespace inkread
