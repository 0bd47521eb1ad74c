#include "ocr/line_crop.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"

namespace inkread {
namespace {

BgrImage Block(const ImageView& source, int x, int y, int width, int height) {
  BgrImage out(width, height);
  CopyBgr(source, x, y, width, height, out.pixels.data(), static_cast<ptrdiff_t>(width) * 3);
  return out;
}

// The line that a box gives, and its pixels.
struct CutLine : LineShape {
  BgrImage image;
};
std::optional<CutLine> CropLine(const ImageView& source, const Quad& box) {
  const std::optional<LineShape> line = ShapeOfLine(box);
  if (!line) return std::nullopt;
  return CutLine{*line, CutOut(source, CropRuleOf(source, *line))};
}

TEST(CropLineTest, AnUprightBoxIsCutOutAsItIs) {
  std::mt19937 random(1);
  const TestImage source(60, 40, PixelFormat::kRgb24, false, &random);
  const auto crop = CropLine(source.view(), {Point{28, 24}, Point{60, 24}, Point{60, 40}, Point{28, 40}});
  ASSERT_TRUE(crop.has_value());
  EXPECT_FALSE(crop->is_turned);
  EXPECT_EQ(crop->crop.corners, (QuadF{PointF{28, 24}, PointF{60, 24}, PointF{60, 40}, PointF{28, 40}}));
  EXPECT_EQ(crop->image.width_px, 32);
  EXPECT_EQ(crop->image.height_px, 16);
  EXPECT_EQ(crop->image.pixels, Block(source.view(), 28, 24, 32, 16).pixels);
}

// As in the original: 55 * (1 / 55) is a little less than 1 in float, so the rectangle is, and truncation cuts a pixel.
TEST(CropLineTest, ASideWhoseInverseIsInexactLosesAPixel) {
  std::mt19937 random(1);
  const TestImage source(60, 40, PixelFormat::kRgb24, false, &random);
  const auto crop = CropLine(source.view(), {Point{5, 10}, Point{60, 10}, Point{60, 30}, Point{5, 30}});
  ASSERT_TRUE(crop.has_value());
  EXPECT_EQ(crop->image.width_px, 54);
  EXPECT_EQ(crop->image.height_px, 19);
}

TEST(CropLineTest, AStandingLineIsLaidDownCounterClockwise) {
  std::mt19937 random(2);
  const TestImage source(40, 60, PixelFormat::kBgr24, false, &random);
  const auto standing = CropLine(source.view(), {Point{10, 5}, Point{30, 5}, Point{30, 35}, Point{10, 35}});
  ASSERT_TRUE(standing.has_value());
  EXPECT_TRUE(standing->is_turned);  // 30 / 20 is just enough
  EXPECT_EQ(standing->image.width_px, 30);
  EXPECT_EQ(standing->image.pixels, RotatedCounterClockwise(Block(source.view(), 10, 5, 20, 30)).pixels);
  const auto squat = CropLine(source.view(), {Point{10, 5}, Point{30, 5}, Point{30, 34}, Point{10, 34}});
  ASSERT_TRUE(squat.has_value());
  EXPECT_FALSE(squat->is_turned);
}

TEST(CropLineTest, AnUpsideDownLineIsTurnedHalfway) {
  std::mt19937 random(4);
  const TestImage source(40, 60, PixelFormat::kBgr24, false, &random);
  for (const Quad& box : {Quad{Point{10, 5}, Point{30, 5}, Point{30, 35}, Point{10, 35}},
                          Quad{Point{3, 5}, Point{37, 5}, Point{37, 20}, Point{3, 20}}}) {
    LineShape line = ShapeOfLine(box).value();
    const BgrImage upright = CutOut(source.view(), CropRuleOf(source.view(), line));
    line.is_upside_down = true;
    const BgrImage turned = CutOut(source.view(), CropRuleOf(source.view(), line));
    EXPECT_EQ(turned.width_px, line.width());
    EXPECT_EQ(turned.pixels, RotatedHalfTurn(upright).pixels);
  }
}

TEST(CropLineTest, ThinnerThanAPixelIsNothing) {
  std::mt19937 random(3);
  const TestImage source(40, 40, PixelFormat::kBgr24, false, &random);
  EXPECT_FALSE(CropLine(source.view(), {Point{5, 5}, Point{30, 5}, Point{30, 5}, Point{5, 5}}).has_value());
  EXPECT_FALSE(CropLine(source.view(), {Point{7, 7}, Point{7, 7}, Point{7, 7}, Point{7, 7}}).has_value());
}

}  // namespace
}  // namespace inkread
