#include "ocr/line_crop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
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

// The rounded corners of a width x height rectangle around (500, 500) whose width runs in the direction `deg`,
// clockwise from its own top left.
Quad Rectangle(double width, double height, double deg) {
  const double cos = std::cos(deg * std::numbers::pi / 180), sin = std::sin(deg * std::numbers::pi / 180);
  Quad quad;
  const std::array<std::array<double, 2>, 4> signs = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  for (size_t i = 0; i < 4; ++i) {
    const double u = signs[i][0] * width / 2, v = signs[i][1] * height / 2;
    quad[i] = {static_cast<int>(std::lround(500 + cos * u - sin * v)),
               static_cast<int>(std::lround(500 + sin * u + cos * v))};
  }
  return quad;
}

// In [-180, 180).
double Difference(double deg, double other) { return deg - other - std::floor((deg - other + 180) / 360) * 360; }

// At every angle and for every shape, whichever corner the box begins with.
TEST(LineDirectionTest, FollowsTheLongerSideOfTheBox) {
  constexpr double kThin = 24;
  for (const double ratio : {1.0 / 40, 1.0 / 12, 1.0 / 3, 1.0 / 1.7, 1.0 / 1.3, 1.0, 1.3, 1.7, 3.0, 12.0, 40.0}) {
    const double width = ratio < 1 ? kThin : kThin * ratio, height = ratio < 1 ? kThin / ratio : kThin;
    const double longer = std::max(width, height);
    const double tolerance = std::asin(1.5 / longer) * 180 / std::numbers::pi;  // of rounded corners
    for (const double tilt : {-60.0, 0.0, 3.0, 45.0}) {
      for (int deg = -180; deg < 180; ++deg) {
        SCOPED_TRACE(testing::Message() << ratio << " at " << deg << " on a page at " << tilt);
        // The direction of one of the four sides: the one that reads along the longer sides, or the most upright.
        double expected = 0, unclear = 360;
        for (int quarter = 0; quarter < 4; ++quarter) {
          const double side = Difference(deg + 90 * quarter, 0), away = Difference(side, tilt);
          const bool is_long = (quarter % 2 == 0) == (ratio > 1);
          const double begin = longer > 1.5 * kThin ? -67.5 : -45, end = longer > 1.5 * kThin ? 112.5 : 45;
          unclear = std::min({unclear, std::abs(Difference(away, begin)), std::abs(Difference(away, end))});
          if ((is_long || longer < 1.5 * kThin) && away >= begin && away < end) expected = side;
        }
        if (unclear <= tolerance) continue;
        const bool is_along_width = std::abs(std::cos((expected - deg) * std::numbers::pi / 180)) > 0.5;
        Quad box = Rectangle(width, height, deg);
        const Quad own = BeginningAlong(box, expected);
        for (int first = 0; first < 4; ++first) {
          std::rotate(box.begin(), box.begin() + 1, box.end());
          const std::optional<LineShape> line = ShapeOfLine(box, tilt);
          ASSERT_TRUE(line.has_value());
          EXPECT_LE(std::abs(Difference(DirectionOf(*line), expected)), tolerance);
          EXPECT_EQ(BeginningAlong(box, DirectionOf(*line)), own);
          EXPECT_NEAR(line->width(), is_along_width ? width : height, 3);
          EXPECT_NEAR(line->height(), is_along_width ? height : width, 3);
        }
      }
    }
  }
}

TEST(LineDirectionTest, IsThatOfTheOfficialCropsWhereTheyAreClear) {
  for (const double deg : {-20.0, -3.0, 0.0, 2.0, 20.0}) {
    for (const auto& [width, height] : {std::pair{200.0, 30.0}, {30.0, 60.0}, {30.0, 40.0}}) {
      const Quad box = Rectangle(width, height, deg);
      const LineShape ours = ShapeOfLine(box, 0).value(), official = ShapeOfLine(box).value();
      EXPECT_EQ(ours.crop, official.crop);
      EXPECT_EQ(ours.quarter_turns(), official.quarter_turns());
    }
  }
}

// A column of 35 characters that leans by 3 degrees, dark at its top. One of the two official crops is upside down.
TEST(LineDirectionTest, ALeaningColumnIsReadFromItsTop) {
  for (const double deg : {-3.0, 3.0}) {
    const Quad box = Rectangle(30, 900, deg);
    BgrImage image(1000, 1000);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = i < image.pixels.size() / 2 ? 10 : 200;
    const LineShape line = ShapeOfLine(box, 0).value();
    EXPECT_TRUE(RunsDown(line, 0));
    EXPECT_EQ(BeginningAlong(box, DirectionOf(line) - 90), box);
    const BgrImage cut = CutOut(image.view(), CropRuleOf(image.view(), line));
    ASSERT_EQ(cut.width_px, line.width());
    EXPECT_GT(cut.width_px, 850);
    EXPECT_EQ(cut.row(15)[0], 10);
    EXPECT_EQ(cut.row(15)[(cut.width_px - 1) * 3], 200);
  }
}

TEST(LineDirectionTest, StandsIsSeenFromThePage) {
  const LineShape column = ShapeOfLine(Rectangle(30, 300, 0), 0).value();
  EXPECT_TRUE(IsStanding(column, 0));
  EXPECT_TRUE(RunsDown(column, 0));
  EXPECT_FALSE(IsStanding(column, 45));
  const LineShape upwards = TurnedBy(column, 2);
  EXPECT_TRUE(IsStanding(upwards, 0));
  EXPECT_FALSE(RunsDown(upwards, 0));
  EXPECT_FALSE(IsStanding(ShapeOfLine(Rectangle(30, 40, 0), 0).value(), 0));
  EXPECT_FALSE(IsStanding(TurnedBy(ShapeOfLine(Rectangle(300, 30, 5), 0).value(), 2), 0));
}

}  // namespace
}  // namespace inkread
