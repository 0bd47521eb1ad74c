// Sizes of the detector's input from the specification's table, and its values.
#include "ocr/det_input.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"

namespace inkread {
namespace {

DetParams Fast960() {
  DetParams params;
  params.limit_type = LimitType::kMax;
  params.limit_side = 960;
  return params;
}

TEST(DetInputSizeTest, FollowsBothSideRules) {
  struct Case {
    Size source, pipeline, fast960;
    const char* why;
  };
  const Case kCases[] = {
      {{500, 500}, {512, 512}, {512, 512}, "snaps up"},
      {{528, 896}, {512, 896}, {512, 896}, "16.5 * 32 goes to the even 16"},
      {{1150, 720}, {1152, 704}, {960, 608}, "22.5 * 32 goes to the even 22"},
      {{720, 1280}, {704, 1280}, {544, 960}, "a video frame"},
      {{1080, 1920}, {1088, 1920}, {544, 960}, "a larger one"},
      {{3000, 4000}, {3008, 4000}, {704, 960}, "at the cap"},
      {{4000, 6000}, {2656, 4000}, {640, 960}, "above the cap"},
      {{48, 320}, {64, 416}, {64, 320}, "a shorter side below the limit"},
      {{20, 500}, {64, 1600}, {32, 512}, "far below it"},
      {{16, 5000}, {32, 4000}, {32, 960}, "enlarged, then capped"},
      {{10, 20}, {64, 64}, {32, 32}, "on a canvas of 32 x 32"},
      {{1, 1}, {64, 64}, {32, 32}, "the smallest"},
      {{1, 2147483647}, {32, 4000}, {32, 960}, "nothing overflows"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(DetInputSize(c.source.height, c.source.width, {}), c.pipeline) << c.why;
    EXPECT_EQ(DetInputSize(c.source.height, c.source.width, Fast960()), c.fast960) << c.why;
  }
}

// The detector's input of an image.
std::vector<float> InputOf(const ImageView& source, const Size& size) {
  const BgrImage canvas = NeedsCanvas(source) ? OnCanvas(source) : BgrImage();
  const ImageView view = NeedsCanvas(source) ? canvas.view() : source;
  std::vector<float> out(size_t{3} * size.height * size.width);
  InputRows(view, DetInputRule(view, size)).FillAll(out.data());
  return out;
}

TEST(DetInputTest, NormalisesByTheImageNetConstantsInStorageOrder) {
  const uint8_t rgb[3] = {30, 20, 10};  // B 10, G 20, R 30
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 64 * 64; ++i) pixels.insert(pixels.end(), rgb, rgb + 3);
  const Size size = DetInputSize(64, 64, {});
  ASSERT_EQ(size, (Size{64, 64}));
  const std::vector<float> out = InputOf({pixels.data(), 64, 64, 64 * 3, PixelFormat::kRgb24}, size);
  // Each is two operations in float on values below 2.2: within 4 units of 2^-23.
  EXPECT_NEAR(out[0], (10 / 255.0 - 0.485) / 0.229, 5e-7);
  EXPECT_NEAR(out[1], (20 / 255.0 - 0.456) / 0.224, 5e-7);
  EXPECT_NEAR(out[2], (30 / 255.0 - 0.406) / 0.225, 5e-7);
  EXPECT_EQ(out[out.size() - 1], out[2]);
}

TEST(DetInputTest, ATinySourceStandsAtTheTopLeftOfBlack) {
  std::mt19937 random(1);
  const TestImage source(20, 10, PixelFormat::kRgba32, true, &random);
  ASSERT_TRUE(NeedsCanvas(source.view()));
  const Size size = DetInputSize(10, 20, Fast960());
  ASSERT_EQ(size, (Size{32, 32}));
  const std::vector<float> out = InputOf(source.view(), size);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const uint8_t* p = x < 20 && y < 10 ? source.view().row(y) + x * 4 : nullptr;
      for (int c = 0; c < 3; ++c) {
        const uint8_t u = p == nullptr ? 0 : p[2 - c];
        EXPECT_EQ(out[static_cast<size_t>((y * 32 + x) * 3 + c)], ImageNetNormalisation()(c, u));
      }
    }
  }
}

}  // namespace
}  // namespace inkread
