// Compares the warp with its scalar reference and with cases whose result is known.
#include "image/warp.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"
#include "image/test_targets.h"

namespace inkread {
namespace {

QuadF Upright(float x, float y, float width, float height) {
  return {PointF{x, y}, PointF{x + width, y}, PointF{x + width, y + height}, PointF{x, y + height}};
}

BgrImage Block(const ImageView& source, int x, int y, int width, int height) {
  BgrImage out(width, height);
  CopyBgr(source, x, y, width, height, out.pixels.data(), static_cast<ptrdiff_t>(width) * 3);
  return out;
}

TEST(WarpTest, AnUprightBlockOfWholePixelsIsTheBlockItself) {
  std::mt19937 random(1);
  for (const PixelFormat layout : kAllLayouts) {
    const TestImage source(40, 30, layout, false, &random);
    const QuadF quad = Upright(7, 5, 33, 25);  // reaches the right and lower border
    const BgrImage expected = Block(source.view(), 7, 5, 33, 25);
    EXPECT_EQ(WarpQuad(source.view(), quad, 33, 25).pixels, expected.pixels);
    EXPECT_EQ(WarpQuadSlowly(source.view(), quad, 33, 25).pixels, expected.pixels);
  }
}

TEST(WarpTest, AgreesWithTheReference) {
  WithEachTarget([] {
    std::mt19937 random(2);
    std::normal_distribution<float> jitter(0, 9);
    for (int i = 0; i < 60; ++i) {
      const PixelFormat layout = kAllLayouts[i % 5];
      const int width = 1 + static_cast<int>(random() % 90), height = 1 + static_cast<int>(random() % 60);
      const TestImage source(width, height, layout, i % 2 == 1, &random);
      QuadF quad = Upright(0, 0, static_cast<float>(width), static_cast<float>(height));
      for (PointF& p : quad) p = {p.x + jitter(random), p.y + jitter(random)};
      const int w = 1 + static_cast<int>(random() % 120), h = 1 + static_cast<int>(random() % 50);
      EXPECT_EQ(WarpQuad(source.view(), quad, w, h).pixels, WarpQuadSlowly(source.view(), quad, w, h).pixels)
          << width << " x " << height << " to " << w << " x " << h;
    }
  });
}

TEST(WarpTest, RowsDoNotDependOnHowTheyAreCutUp) {
  std::mt19937 random(3);
  const TestImage source(80, 60, PixelFormat::kBgr24, false, &random);
  const QuadF quad = {PointF{3.5f, 9}, PointF{70, 2}, PointF{72, 40}, PointF{5, 48}};
  const BgrImage whole = WarpQuad(source.view(), quad, 66, 39);
  BgrImage parts(66, 39);
  const Homography map = TargetToSource(quad, 66, 39);
  for (int y = 38; y >= 0; --y) WarpRows(source.view(), map, 66, 39, y, y + 1, parts.pixels.data());
  EXPECT_EQ(parts.pixels, whole.pixels);
}

TEST(WarpTest, OutsideTheImageTheBorderIsRepeated) {
  const uint8_t grey[4] = {10, 10, 200, 200};
  const ImageView source = {grey, 2, 2, 2, PixelFormat::kGray8};
  const BgrImage out = WarpQuad(source, Upright(-100, -100, 50, 20), 50, 20);
  EXPECT_EQ(out.pixels, std::vector<uint8_t>(50 * 20 * 3, 10));
}

TEST(WarpTest, HalfwayBetweenPixelsTheCubicIsSymmetric) {
  // The weights -3/32, 19/32, 19/32, -3/32 on an even ramp give the mean of the middle two.
  const uint8_t grey[4] = {0, 64, 128, 192};
  const BgrImage out = WarpQuad({grey, 4, 1, 4, PixelFormat::kGray8}, Upright(1.5f, 0, 1, 1), 1, 1);
  EXPECT_EQ(out.pixels[0], 96);
}

TEST(WarpTest, CornersWithoutAMapGiveSomeImageAndDoNotFail) {
  std::mt19937 random(4);
  const TestImage source(8, 8, PixelFormat::kBgr24, false, &random);
  const QuadF point = {PointF{2, 2}, PointF{2, 2}, PointF{2, 2}, PointF{2, 2}};
  EXPECT_EQ(TargetToSource(point, 4, 4), Homography{});
  EXPECT_EQ(WarpQuad(source.view(), point, 4, 4).pixels.size(), 48u);
}

TEST(ImageTest, TurnsCounterClockwiseAndHalfway) {
  BgrImage image(3, 2);
  for (int i = 0; i < 6; ++i) image.pixels[static_cast<size_t>(i) * 3] = static_cast<uint8_t>(i);  // 012 / 345
  const auto blues = [](const BgrImage& p) {
    std::vector<int> out;
    for (size_t i = 0; i < p.pixels.size(); i += 3) out.push_back(p.pixels[i]);
    return out;
  };
  const BgrImage turned = RotatedCounterClockwise(image);
  EXPECT_EQ(turned.width_px, 2);
  EXPECT_EQ(blues(turned), (std::vector<int>{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(blues(RotatedHalfTurn(image)), (std::vector<int>{5, 4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace inkread
