#include "ocr/cls_input.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"
#include "ocr/rec_input.h"

namespace inkread {
namespace {

std::vector<float> InputOf(const ImageView& line, ClsKind kind) {
  ImageRule rule;
  SetClsInput(kind, line.width_px, line.height_px, rule);
  std::vector<float> out(size_t{3} * rule.height * rule.row_width, 9.0f);
  InputRows(line, rule).FillAll(out.data());
  return out;
}

TEST(SetClsInputTest, LegacyKeepsTheAspectAndPads) {
  std::mt19937 random(1);
  const TestImage line(50, 31, PixelFormat::kBgr24, false, &random);
  ASSERT_EQ(ClsInputSize(ClsKind::kLegacy), (Size{48, 192}));
  const std::vector<float> out = InputOf(line.view(), ClsKind::kLegacy);
  ASSERT_EQ(out.size(), 48u * 192 * 3);
  const BgrImage resized = ResizeImageSlowly(line.view(), 78, 48);  // ceil(48 * 50 / 31)
  for (int y = 0; y < 48; ++y) {
    for (int i = 0; i < 192 * 3; ++i) {
      const float want = i < 78 * 3 ? HalfNormalisation()(0, resized.row(y)[i]) : 0.0f;
      ASSERT_EQ(out[static_cast<size_t>(y * 192 * 3 + i)], want);
    }
  }
}

TEST(SetClsInputTest, LegacySqueezesLongLines) {
  std::mt19937 random(2);
  const TestImage line(500, 20, PixelFormat::kGray8, false, &random);
  const std::vector<float> out = InputOf(line.view(), ClsKind::kLegacy);
  ASSERT_EQ(out.size(), 48u * 192 * 3);
  const BgrImage resized = ResizeImageSlowly(line.view(), 192, 48);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], HalfNormalisation()(0, resized.pixels[i]));
}

TEST(SetClsInputTest, LcnetStretchesAndPutsRedFirst) {
  std::mt19937 random(3);
  ASSERT_EQ(ClsInputSize(ClsKind::kLcnet), (Size{80, 160}));
  for (const PixelFormat layout : kAllLayouts) {
    const TestImage line(90, 30, layout, false, &random);
    const std::vector<float> out = InputOf(line.view(), ClsKind::kLcnet);
    ASSERT_EQ(out.size(), 80u * 160 * 3);
    const BgrImage resized = ResizeImageSlowly(line.view(), 160, 80);
    for (size_t i = 0; i < out.size(); i += 3) {
      for (size_t c = 0; c < 3; ++c)
        ASSERT_EQ(out[i + c], ImageNetNormalisation()(static_cast<int>(c), resized.pixels[i + 2 - c]));
    }
  }
}

TEST(IsUpsideDownTest, OnlyTheLegacyKindAsksForConfidence) {
  EXPECT_FALSE(IsUpsideDown(ClsKind::kLegacy, 0.9f, 0.1f));
  EXPECT_FALSE(IsUpsideDown(ClsKind::kLegacy, 0.1f, 0.9f));
  EXPECT_TRUE(IsUpsideDown(ClsKind::kLegacy, 0.05f, 0.95f));
  EXPECT_TRUE(IsUpsideDown(ClsKind::kLcnet, 0.49f, 0.51f));
  EXPECT_FALSE(IsUpsideDown(ClsKind::kLcnet, 0.5f, 0.5f));
}

}  // namespace
}  // namespace inkread
