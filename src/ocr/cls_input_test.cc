#include "ocr/cls_input.h"

#include <gtest/gtest.h>

#include <random>

#include "image/test_images.h"
#include "ocr/rec_input.h"

namespace inkread {
namespace {

TEST(FillClsInputTest, LegacyKeepsTheAspectAndPads) {
  std::mt19937 random(1);
  const TestImage line(50, 31, PixelFormat::kBgr24, false, &random);
  ASSERT_EQ(ClsInputSize(ClsKind::kLegacy), (Size{48, 192}));
  std::vector<float> out(48 * 192 * 3, 9.0f);
  FillClsInput(line.view(), ClsKind::kLegacy, out.data());
  const BgrImage resized = ResizeImageSlowly(line.view(), 78, 48);  // ceil(48 * 50 / 31)
  for (int y = 0; y < 48; ++y) {
    for (int i = 0; i < 192 * 3; ++i) {
      const float want = i < 78 * 3 ? HalfNormalisation()(0, resized.row(y)[i]) : 0.0f;
      ASSERT_EQ(out[static_cast<size_t>(y * 192 * 3 + i)], want);
    }
  }
}

TEST(FillClsInputTest, LegacySqueezesLongLines) {
  std::mt19937 random(2);
  const TestImage line(500, 20, PixelFormat::kGray8, false, &random);
  std::vector<float> out(48 * 192 * 3, 9.0f);
  FillClsInput(line.view(), ClsKind::kLegacy, out.data());
  const BgrImage resized = ResizeImageSlowly(line.view(), 192, 48);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], HalfNormalisation()(0, resized.pixels[i]));
}

TEST(FillClsInputTest, LcnetStretchesAndPutsRedFirst) {
  std::mt19937 random(3);
  ASSERT_EQ(ClsInputSize(ClsKind::kLcnet), (Size{80, 160}));
  for (const PixelFormat layout : kAllLayouts) {
    const TestImage line(90, 30, layout, false, &random);
    std::vector<float> out(80 * 160 * 3);
    FillClsInput(line.view(), ClsKind::kLcnet, out.data());
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
