// Boxes from maps drawn by hand. The golden tests compare the boxes of real maps.
#include "ocr/det_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inkread {
namespace {

constexpr int kMapWidth = 64, kMapHeight = 32;

class BoxesFromMapTest : public testing::Test {
 protected:
  void Draw(int x, int y, int width, int height, float probability) {
    for (int r = y; r < y + height; ++r) {
      for (int c = x; c < x + width; ++c) map_[static_cast<size_t>(r * kMapWidth + c)] = probability;
    }
  }
  std::vector<DetBox> Boxes(int source_height = kMapHeight, int source_width = kMapWidth) {
    return BoxesFromMap(map_, kMapHeight, kMapWidth, source_height, source_width, params_, &report_);
  }

  std::vector<float> map_ = std::vector<float>(kMapWidth * kMapHeight, 0.1f);
  DetParams params_;
  MapReport report_{true, true};
};

TEST_F(BoxesFromMapTest, AnEmptyMapHasNone) {
  EXPECT_TRUE(Boxes().empty());
  EXPECT_FALSE(report_.candidates_cut);
}

TEST_F(BoxesFromMapTest, ABarGrowsByTheUnclipDistance) {
  Draw(10, 10, 21, 9, 0.75f);  // 20 x 8 between centres: distance 160 * 1.5 / 56 = 4.29, rounded to whole pixels
  const std::vector<DetBox> boxes = Boxes();
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].quad, (Quad{Point{6, 6}, Point{34, 6}, Point{34, 22}, Point{6, 22}}));
  EXPECT_DOUBLE_EQ(boxes[0].score, 0.75);
}

TEST_F(BoxesFromMapTest, CoordinatesAreInTheSourceAndStayInIt) {
  Draw(0, 0, 64, 32, 0.9f);
  const std::vector<DetBox> boxes = Boxes(100, 640);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].quad, (Quad{Point{0, 0}, Point{640, 0}, Point{640, 100}, Point{0, 100}}));
}

TEST_F(BoxesFromMapTest, ThinAndFaintOnesAreDropped) {
  Draw(2, 2, 20, 3, 0.9f);    // 2 px between centres
  Draw(2, 10, 20, 6, 0.59f);  // below box_thresh
  EXPECT_TRUE(Boxes().empty());
  params_.box_thresh = 0.58;
  EXPECT_EQ(Boxes().size(), 1u);
}

TEST_F(BoxesFromMapTest, AScoreAtTheLimitIsKept) {
  Draw(10, 10, 21, 9, 0.5f);
  params_.box_thresh = 0.5;
  EXPECT_EQ(Boxes().size(), 1u);
}

TEST_F(BoxesFromMapTest, TheLimitKeepsTheLowestAndSaysSo) {
  Draw(5, 2, 20, 8, 0.9f);
  Draw(35, 20, 20, 8, 0.9f);
  params_.max_candidates = 1;
  const std::vector<DetBox> boxes = Boxes();
  EXPECT_TRUE(report_.candidates_cut);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_GT(boxes[0].quad[0].y, 10);
}

TEST_F(BoxesFromMapTest, TellsSmallText) {
  struct Case {
    int width, height;
    float probability;
    bool is_small;
    const char* why;
  };
  const Case kCases[] = {
      {40, 6, 0.9f, true, "5 px between centres"},
      {40, 7, 0.9f, false, "6 px"},
      {40, 2, 0.9f, true, "too thin for a box"},
      {40, 1, 0.9f, true, "a single row"},
      {6, 40, 0.9f, true, "a column"},
      {40, 3, 0.5f, false, "too faint for a line"},
      {6, 2, 0.9f, false, "a speck"},
      {7, 2, 0.9f, true, "just longer than one"},
      {10, 6, 0.9f, false, "not twice as long as high"},
      {11, 6, 0.9f, true, "twice as long"},
  };
  for (const Case& c : kCases) {
    std::fill(map_.begin(), map_.end(), 0.1f);
    Draw(10, 10, std::min(c.width, 50), std::min(c.height, 20), c.probability);
    Boxes();
    EXPECT_EQ(report_.has_small_text, c.is_small) << c.why;
  }
}

}  // namespace
}  // namespace inkread
