#include "ocr/joined_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace inkread {
namespace {

// A box whose left end is at (x, y) on a page that is turned by some degrees.
DetBox Box(double x, double y, double length, double height, double degrees = 0) {
  const double cos = std::cos(degrees * std::numbers::pi / 180), sin = std::sin(degrees * std::numbers::pi / 180);
  DetBox box;
  for (size_t i = 0; i < 4; ++i) {
    const double u = x + (i == 1 || i == 2 ? length : 0), v = y + (i >= 2 ? height / 2 : -height / 2);
    box.quad[i] = {static_cast<int>(std::lround(1000 + cos * u - sin * v)),
                   static_cast<int>(std::lround(1000 + sin * u + cos * v))};
  }
  box.score = 0.5;
  return box;
}

size_t NumJoined(const std::vector<DetBox>& boxes) { return JoinOverlappingBoxes(boxes).size(); }

TEST(JoinOverlappingBoxesTest, TwoThatShareLettersAreOneLine) {
  const std::vector<DetBox> joined = JoinOverlappingBoxes({Box(0, 0, 200, 40), Box(180, 2, 300, 42)});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].quad, (Quad{Point{1000, 980}, {1480, 980}, {1480, 1023}, {1000, 1023}}));
}

TEST(JoinOverlappingBoxesTest, AtEveryAngle) {
  for (int degrees = 0; degrees < 360; degrees += 5) {
    const std::vector<DetBox> joined =
        JoinOverlappingBoxes({Box(0, 0, 200, 40, degrees), Box(180, 2, 300, 42, degrees)});
    ASSERT_EQ(joined.size(), 1u) << degrees;
    const Quad whole = Box(0, 1.5, 480, 43, degrees).quad;
    for (const Point& corner : joined[0].quad) {
      EXPECT_TRUE(std::any_of(whole.begin(), whole.end(), [&](const Point& p) {
        return std::abs(p.x - corner.x) <= 2 && std::abs(p.y - corner.y) <= 2;
      })) << degrees;
    }
  }
}

TEST(JoinOverlappingBoxesTest, NeighboursThatOverlapLessStay) {
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(190, 0, 300, 40)}), 2u);
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(210, 0, 300, 40)}), 2u);
}

TEST(JoinOverlappingBoxesTest, LinesBelowEachOtherStay) {
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(0, 38, 200, 40)}), 2u);
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(100, 12, 200, 40)}), 2u) << "on another baseline";
}

TEST(JoinOverlappingBoxesTest, OtherSizesAndDirectionsStay) {
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(150, 0, 200, 24)}), 2u);
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(0, 0, 200, 40, 10)}), 2u);
  EXPECT_EQ(NumJoined({Box(0, 0, 40, 40), Box(20, 0, 40, 40)}), 2u) << "of two squares nobody knows the direction";
}

TEST(JoinOverlappingBoxesTest, ACharacterIsJoinedToItsLine) {
  EXPECT_EQ(NumJoined({Box(0, 0, 200, 40), Box(180, 0, 40, 36)}), 1u);
}

TEST(JoinOverlappingBoxesTest, ManyPiecesBecomeOneWhereTheFirstOneWas) {
  const std::vector<DetBox> joined = JoinOverlappingBoxes(
      {Box(0, 100, 50, 20), Box(360, 0, 200, 40), Box(0, 0, 200, 40), Box(0, 200, 50, 20), Box(180, 0, 200, 40)});
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(joined[1].quad, (Quad{Point{1000, 980}, {1560, 980}, {1560, 1020}, {1000, 1020}}));
  EXPECT_EQ(joined[2].quad, Box(0, 200, 50, 20).quad);
}

TEST(JoinOverlappingBoxesTest, TheScoreIsTheMeanByLength) {
  DetBox shorter = Box(180, 0, 100, 40);
  shorter.score = 0.8;
  EXPECT_NEAR(JoinOverlappingBoxes({Box(0, 0, 200, 40), shorter})[0].score, 0.6, 1e-9);
}

TEST(JoinOverlappingBoxesTest, BoxesWithoutAreaStay) {
  EXPECT_EQ(NumJoined({Box(0, 0, 0, 0), Box(0, 0, 0, 0), Box(0, 0, 200, 0), Box(0, 0, 200, 0)}), 4u);
  EXPECT_EQ(NumJoined({}), 0u);
}

}  // namespace
}  // namespace inkread
