// Compares filled polygons with those of OpenCV 4.10, and checks means over them.
#include "image/polygon_score.h"

#include <gtest/gtest.h>

#include <string>

namespace inkread {
namespace {

std::vector<std::string> Filled(const std::vector<Point>& corners, int width, int height) {
  std::vector<uint8_t> mask(static_cast<size_t>(width * height));
  FillPolygon(corners, width, height, mask.data());
  std::vector<std::string> rows;
  for (int y = 0; y < height; ++y) {
    std::string row;
    for (int x = 0; x < width; ++x) row += mask[static_cast<size_t>(y * width + x)] != 0 ? '#' : '.';
    rows.push_back(row);
  }
  return rows;
}

TEST(FillPolygonTest, AnUprightBoxHasItsOutline) {
  EXPECT_EQ(Filled({{1, 1}, {3, 1}, {3, 2}, {1, 2}}, 5, 4),
            (std::vector<std::string>{".....", ".###.", ".###.", "....."}));
}

TEST(FillPolygonTest, LinesAndPointsAreDrawn) {
  EXPECT_EQ(Filled({{0, 0}, {2, 2}, {2, 2}, {0, 0}}, 3, 3), (std::vector<std::string>{"#..", ".#.", "..#"}));
  EXPECT_EQ(Filled({{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 3, 3), (std::vector<std::string>{"...", ".#.", "..."}));
}

TEST(FillPolygonTest, WhollyOutsideNothingIsSet) {
  EXPECT_EQ(Filled({{-9, -9}, {-5, -9}, {-5, -5}, {-9, -5}}, 2, 2), (std::vector<std::string>{"..", ".."}));
  EXPECT_EQ(Filled({{7, 7}, {9, 7}, {9, 9}, {7, 9}}, 2, 2), (std::vector<std::string>{"..", ".."}));
}

// From OpenCV 4.10.0's fillPoly. Corners outside bend the edges slightly, since it clips lines to whole pixels.
TEST(FillPolygonTest, SlantedQuadsHaveThePixelsOfOpenCv) {
  EXPECT_EQ(Filled({{1, 5}, {8, 0}, {10, 3}, {3, 8}}, 12, 9),
            (std::vector<std::string>{"........#...", "......####..", ".....#####..", "....#######.", "..########..",
                                      ".#######....", "..#####.....", "..####......", "...#........"}));
  EXPECT_EQ(Filled({{-5, -3}, {0, -6}, {7, 8}, {2, 11}}, 7, 10),
            (std::vector<std::string>{"####...", "####...", "#####..", "#####..", "######.", "######.", "#######",
                                      "#######", "#######", ".#####."}));
  EXPECT_EQ(Filled({{3, 1}, {8, 0}, {14, 8}, {9, 11}}, 10, 8),
            (std::vector<std::string>{"......###.", "...######.", "...#######", "....######", "....######",
                                      ".....#####", "......####", "......####"}));
}

TEST(MeanInQuadTest, CountsTheOutline) {
  // 5 x 5 pixels, 1 inside and 0.5 on the ring: a quad along the ring covers 9 ones and 16 halves.
  std::vector<float> map(25, 0.5f);
  for (int y = 1; y < 4; ++y) {
    for (int x = 1; x < 4; ++x) map[static_cast<size_t>(y * 5 + x)] = 1;
  }
  const QuadF ring = {PointF{0, 0}, PointF{4, 0}, PointF{4, 4}, PointF{0, 4}};
  EXPECT_DOUBLE_EQ(MeanInQuad(map, 5, 5, ring), 17 * (1.0 / 25));
}

TEST(MeanInQuadTest, ClipsToTheMap) {
  const std::vector<float> map(6, 0.25f);
  const QuadF beyond = {PointF{-3, -3}, PointF{8, -3}, PointF{8, 7}, PointF{-3, 7}};
  EXPECT_DOUBLE_EQ(MeanInQuad(map, 3, 2, beyond), 0.25);
}

}  // namespace
}  // namespace inkread
