// Compares outlines with a reference that floods pixel by pixel, and with small images.
#include "image/components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "image/min_area_rect.h"

namespace inkread {
namespace {

// Floods from `start` over the pixels that satisfy `is_inside` and marks them in `*seen`.
template <typename IsInside>
std::vector<Point> Flood(Point start, bool over_corners, const IsInside& is_inside, std::vector<uint8_t>* seen,
                         int width, int height) {
  std::vector<Point> found = {start};
  (*seen)[static_cast<size_t>(start.y * width + start.x)] = 1;
  for (size_t i = 0; i < found.size(); ++i) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (!over_corners && dx != 0 && dy != 0) continue;
        const Point p = {found[i].x + dx, found[i].y + dy};
        if (p.x < 0 || p.y < 0 || p.x >= width || p.y >= height || !is_inside(p)) continue;
        uint8_t& mark = (*seen)[static_cast<size_t>(p.y * width + p.x)];
        if (mark == 0) found.push_back(p);
        mark = 1;
      }
    }
  }
  return found;
}

struct ReferenceOutline {
  long key;
  bool is_hole;
  std::vector<Point> hull;  // from its topmost, leftmost corner
};

std::vector<ReferenceOutline> ReferenceOutlines(const std::vector<float>& map, int width, int height, float thresh) {
  const auto is_set = [&](Point p) {
    return p.x >= 0 && p.y >= 0 && p.x < width && p.y < height && map[static_cast<size_t>(p.y * width + p.x)] > thresh;
  };
  const auto is_clear = [&](Point p) { return !is_set(p); };
  std::vector<ReferenceOutline> out;
  std::vector<uint8_t> seen(map.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (seen[static_cast<size_t>(y * width + x)] != 0) continue;
      const Point start = {x, y};
      const long key = long{y} * width + x;
      if (is_set(start)) {
        out.push_back({key, false, ConvexHull(Flood(start, true, is_set, &seen, width, height))});
        continue;
      }
      const std::vector<Point> hole = Flood(start, false, is_clear, &seen, width, height);
      if (std::any_of(hole.begin(), hole.end(),
                      [&](Point p) { return p.x == 0 || p.y == 0 || p.x == width - 1 || p.y == height - 1; })) {
        continue;
      }
      std::vector<Point> border;
      for (const Point& p : hole) {
        for (const Point q : {Point{p.x - 1, p.y}, Point{p.x + 1, p.y}, Point{p.x, p.y - 1}, Point{p.x, p.y + 1}}) {
          if (is_set(q)) border.push_back(q);
        }
      }
      out.push_back({key - 1, true, ConvexHull(border)});
    }
  }
  std::sort(out.begin(), out.end(), [](const ReferenceOutline& a, const ReferenceOutline& b) { return a.key > b.key; });
  return out;
}

std::vector<Point> FromTheTop(std::vector<Point> hull) {
  const auto top =
      std::min_element(hull.begin(), hull.end(), [](Point p, Point q) { return p.y != q.y ? p.y < q.y : p.x < q.x; });
  std::rotate(hull.begin(), top, hull.end());
  return hull;
}

std::vector<float> MapOf(const std::vector<std::string>& rows) {
  std::vector<float> map;
  for (const std::string& row : rows) {
    for (char c : row) map.push_back(c == '#' ? 1.0f : 0.0f);
  }
  return map;
}

TEST(FindOutlinesTest, AgreesWithTheReferenceOnNoise) {
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    const int width = 1 + static_cast<int>(random() % 40), height = 1 + static_cast<int>(random() % 30);
    std::vector<float> map(static_cast<size_t>(width * height));
    for (float& v : map) v = static_cast<float>(random() % 1000) / 1000;
    const float thresh = 0.05f + 0.1f * static_cast<float>(i % 10);
    const std::vector<ReferenceOutline> expected = ReferenceOutlines(map, width, height, thresh);
    const Outlines found = FindOutlines(map, width, height, thresh, 100000);
    ASSERT_EQ(found.num_found, expected.size());
    ASSERT_EQ(found.kept.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(found.kept[k].is_hole, expected[k].is_hole);
      ASSERT_EQ(FromTheTop(found.kept[k].hull), expected[k].hull);
    }
    // With a limit the lowest outlines are kept.
    const size_t limit = expected.size() / 2;
    const Outlines limited = FindOutlines(map, width, height, thresh, limit);
    EXPECT_EQ(limited.num_found, expected.size());
    ASSERT_EQ(limited.kept.size(), limit);
    for (size_t k = 0; k < limit; ++k) EXPECT_EQ(limited.kept[k].hull, found.kept[k].hull);
  }
}

TEST(FindOutlinesTest, TouchingCornersJoinForegroundButNotHoles) {
  const Outlines joined = FindOutlines(MapOf({"#.", ".#"}), 2, 2, 0.5f, 10);
  ASSERT_EQ(joined.kept.size(), 1u);
  EXPECT_EQ(FromTheTop(joined.kept[0].hull), (std::vector<Point>{{0, 0}, {1, 1}}));
  // Two holes that touch at a corner are not joined.
  const Outlines holes = FindOutlines(MapOf({".##..", "#.##.", "##.#.", ".##.."}), 5, 4, 0.5f, 10);
  EXPECT_EQ(std::count_if(holes.kept.begin(), holes.kept.end(), [](const Outline& o) { return o.is_hole; }), 2);
}

TEST(FindOutlinesTest, AHoleIsOutlinedByTheForegroundBesideIt) {
  const Outlines found = FindOutlines(MapOf({"#####", "#...#", "#...#", "#####"}), 5, 4, 0.5f, 10);
  ASSERT_EQ(found.kept.size(), 2u);
  EXPECT_TRUE(found.kept[0].is_hole);
  EXPECT_EQ(found.kept[0].hull, (std::vector<Point>{{0, 1}, {1, 0}, {3, 0}, {4, 1}, {4, 2}, {3, 3}, {1, 3}, {0, 2}}));
  EXPECT_FALSE(found.kept[1].is_hole);
  EXPECT_EQ(found.kept[1].hull, (std::vector<Point>{{4, 0}, {4, 3}, {0, 3}, {0, 0}}));
}

TEST(FindOutlinesTest, AValueAtTheThresholdIsBackgroundAndSoIsNaN) {
  const std::vector<float> map = {0.3f, std::nanf(""), 0.31f};
  const Outlines found = FindOutlines(map, 3, 1, 0.3f, 10);
  ASSERT_EQ(found.kept.size(), 1u);
  EXPECT_EQ(found.kept[0].hull, (std::vector<Point>{{2, 0}}));
}

TEST(FindOutlinesTest, ASpiralNeedsNoDeepStack) {
  // A comb whose teeth join only in the last row.
  const int width = 2001, height = 300;
  std::vector<float> map(static_cast<size_t>(width * height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) map[static_cast<size_t>(y * width + x)] = x % 2 == 0 || y == height - 1;
  }
  const Outlines found = FindOutlines(map, width, height, 0.5f, 10);
  EXPECT_EQ(found.num_found, 1u);
}

}  // namespace
}  // namespace inkread
