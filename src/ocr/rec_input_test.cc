#include "ocr/rec_input.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"

namespace inkread {
namespace {

TEST(RecInputWidthTest, FollowsBothRules) {
  struct Case {
    int width, height;
    RecWidth official, measured;
    const char* why;
  };
  const Case kCases[] = {
      {1, 1, {320, 48}, {192, 48}, "smallest"},
      {1, 500, {320, 1}, {192, 1}, "a sliver has one column"},
      {320, 48, {320, 320}, {320, 320}, "exactly the official floor"},
      {559, 45, {596, 596}, {600, 597}, "truncated against rounded up"},
      {362, 39, {445, 445}, {448, 446}, "the same"},
      {192, 48, {320, 192}, {192, 192}, "exactly the measured floor"},
      {193, 48, {320, 193}, {200, 193}, "one above it"},
      {3200, 48, {3200, 3200}, {3200, 3200}, "exactly the cap"},
      {9000, 48, {3200, 3200}, {9000, 9000}, "squeezed only by the official rule"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(RecInputWidth(c.width, c.height, RecWidthRule::kOfficial), c.official) << c.why;
    EXPECT_EQ(RecInputWidth(c.width, c.height, RecWidthRule::kMeasured), c.measured) << c.why;
  }
}

std::vector<float> InputOf(const ImageView& line, RecWidth width) {
  ImageRule rule;
  SetRecInput(width, rule);
  std::vector<float> out(size_t{3} * kRecHeight * width.total, 9.0f);
  InputRows(line, rule).FillAll(out.data());
  return out;
}

TEST(SetRecInputTest, EveryByteBecomesTheQuotientRoundedOnce) {
  BgrImage line(256, kRecHeight);
  for (int y = 0; y < kRecHeight; ++y) {
    for (int i = 0; i < 256 * 3; ++i) line.row(y)[i] = static_cast<uint8_t>(i / 3);
  }
  const std::vector<float> out = InputOf(line.view(), {256, 256});
  for (size_t i = 0; i < out.size(); ++i) {
    const float u = static_cast<float>(i / 3 % 256);
    ASSERT_EQ(out[i], (u / 255.0f - 0.5f) / 0.5f) << u;
  }
}

TEST(SetRecInputTest, ResizesNormalisesAndPadsWithZero) {
  std::mt19937 random(1);
  const TestImage line(37, 20, PixelFormat::kBgr24, false, &random);
  const RecWidth width = RecInputWidth(37, 20, RecWidthRule::kMeasured);
  ASSERT_EQ(width, (RecWidth{192, 89}));
  const std::vector<float> out = InputOf(line.view(), width);
  const BgrImage resized = ResizeImageSlowly(line.view(), 89, kRecHeight);
  for (int y = 0; y < kRecHeight; ++y) {
    for (int i = 0; i < 192 * 3; ++i) {
      const float want = i < 89 * 3 ? (static_cast<float>(resized.row(y)[i]) / 255.0f - 0.5f) / 0.5f : 0.0f;
      ASSERT_EQ(out[static_cast<size_t>(y * 192 * 3 + i)], want);
    }
  }
}

}  // namespace
}  // namespace inkread
