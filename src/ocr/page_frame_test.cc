#include "ocr/page_frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace inkread {
namespace {

PageFrame FrameOf(const std::vector<Quad>& quads) { return FindPageFrame(quads, FindPageAxis(quads)); }

constexpr double kDegree = std::numbers::pi / 180;

// A box around (x, y), turned clockwise around it and then, with the whole page, around (0, 0).
Quad Box(double x, double y, double width, double height, double own_degrees, double page_degrees) {
  Quad quad;
  const double dx[] = {-width / 2, width / 2, width / 2, -width / 2},
               dy[] = {-height / 2, -height / 2, height / 2, height / 2};
  for (size_t i = 0; i < 4; ++i) {
    const double a = own_degrees * kDegree, b = page_degrees * kDegree;
    const double px = x + dx[i] * std::cos(a) - dy[i] * std::sin(a), py = y + dx[i] * std::sin(a) + dy[i] * std::cos(a);
    quad[i] = {static_cast<int>(std::lround(px * std::cos(b) - py * std::sin(b))),
               static_cast<int>(std::lround(px * std::sin(b) + py * std::cos(b)))};
  }
  return quad;
}

TEST(PageFrameTest, ThePageLiesLikeMostOfItsLines) {
  for (const double degrees : {-44.0, -20.0, -5.0, 0.0, 3.0, 44.0}) {
    const PageFrame frame = FrameOf(
        {Box(500, 100, 400, 30, 0, degrees), Box(500, 200, 300, 30, 0, degrees), Box(500, 300, 200, 30, 20, degrees)});
    EXPECT_FALSE(frame.is_vertical);
    EXPECT_NEAR(frame.tilt, degrees * kDegree, 0.01) << degrees;
    const LayoutBox& box = frame.lines[0].box;
    EXPECT_NEAR(box.left, 300, 3);
    EXPECT_NEAR(box.top, 85, 3);
    EXPECT_NEAR(box.right, 700, 3);
    EXPECT_NEAR(box.bottom, 115, 3);
  }
}

TEST(PageFrameTest, ThePageIsVerticalIfItsTallLinesAreLongerAllTogether) {
  const Quad level = Box(500, 50, 300, 40, 0, 2), tall = Box(700, 400, 40, 290, 0, 2);
  EXPECT_FALSE(FrameOf({level, tall}).is_vertical);
  const PageFrame frame = FrameOf({level, tall, tall});
  EXPECT_TRUE(frame.is_vertical);
  EXPECT_NEAR(frame.tilt, 2 * kDegree, 0.01);
  // Text runs to the right in the frame, and what is further left on the page is below.
  EXPECT_NEAR(frame.lines[1].box.width(), 290, 3);
  EXPECT_NEAR(frame.lines[1].box.mid_x(), 400, 3);
  EXPECT_NEAR(frame.lines[1].box.mid_y(), -700, 3);
  EXPECT_TRUE(frame.lines[0].is_sideways);
  EXPECT_FALSE(frame.lines[1].is_sideways);
}

TEST(PageFrameTest, ADigitIsNotASidewaysLine) {
  const Quad line = Box(300, 100, 400, 40, 0, 0), digit = Box(600, 100, 22, 42, 0, 0),
             remark = Box(50, 300, 40, 300, 0, 0);
  const PageFrame frame = FrameOf({line, line, digit, remark});
  EXPECT_FALSE(frame.lines[2].is_sideways);
  EXPECT_TRUE(frame.lines[3].is_sideways);
}

TEST(PageFrameTest, RowsShowHowAPageOfShortLinesLies) {
  // A detector's boxes of short lines may lie less askew than the text.
  std::vector<Quad> quads;
  for (int row = 0; row < 6; ++row) {
    quads.push_back(Box(150, row * 60, 150, 36, -2, 4));
    quads.push_back(Box(800, row * 60, 100, 36, -2, 4));
  }
  const PageFrame frame = FrameOf(quads);
  EXPECT_NEAR(frame.tilt, 4 * kDegree, 0.2 * kDegree);
  for (size_t row = 0; row < 6; ++row)
    EXPECT_NEAR(frame.lines[2 * row].box.mid_y(), frame.lines[2 * row + 1].box.mid_y(), 4) << row;
  quads.push_back(Box(400, -80, 500, 40, 0, 2));
  EXPECT_NEAR(FrameOf(quads).tilt, 2 * kDegree, 0.2 * kDegree) << "a long line is exact";
}

TEST(PageFrameTest, RowsOfAPhotographAreLevel) {
  std::vector<Quad> quads;
  for (int row = 0; row < 8; ++row) {
    for (int cell = 0; cell < 3; ++cell) {
      Quad quad = Box(cell * 400 - 400, row * 80 - 280, 150, 36, 0, 0);
      for (Point& corner : quad) {  // nearer on the right
        const double w = 1 - corner.x / 8000.0;
        corner = {static_cast<int>(std::lround(corner.x / w)), static_cast<int>(std::lround(corner.y / w))};
      }
      quads.push_back(quad);
    }
  }
  const PageFrame frame = FrameOf(quads);
  for (size_t row = 0; row < 8; ++row) {
    EXPECT_GT(std::abs(quads[3 * row][0].y - quads[3 * row + 2][0].y), row < 3 || row > 4 ? 5 : 0);
    EXPECT_NEAR(frame.lines[3 * row].box.mid_y(), frame.lines[3 * row + 2].box.mid_y(), 4) << row;
  }
}

TEST(PageFrameTest, TheFrameOfSidewaysLinesIsAQuarterTurnAway) {
  const LayoutBox box = {10, 20, 50, 90};
  for (const bool is_vertical : {false, true}) {
    const LayoutBox other = ToSidewaysFrame(box, is_vertical);
    EXPECT_EQ(other.width(), box.height());
    const LayoutBox back = FromSidewaysFrame(other, is_vertical);
    EXPECT_EQ(back.left, box.left);
    EXPECT_EQ(back.top, box.top);
    EXPECT_EQ(back.right, box.right);
    EXPECT_EQ(back.bottom, box.bottom);
  }
}

}  // namespace
}  // namespace inkread
