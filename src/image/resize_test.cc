// Compares the pass over rows with the scalar reference, and the reference with numbers calculated by hand.
#include "image/resize.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "image/test_images.h"
#include "image/test_targets.h"

namespace inkread {
namespace {

// Different values for every channel.
constexpr Normalisation kOwn = {{3, 3, 3}, {0, 0, 0}, {0, 1, 2}, 0.5f};

TEST(ResizeTest, DoublesARowAsWrittenInTheSpec) {
  // The targets are at -0.25, 0.25, 0.75 and 1.25: weights of 1/4 and 3/4 inside, the border pixel outside.
  const uint8_t grey[2] = {0, 100};
  const BgrImage out = ResizeImageSlowly({grey, 2, 1, 2, PixelFormat::kGray8}, 4, 1);
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{0, 0, 0, 25, 25, 25, 75, 75, 75, 100, 100, 100}));
}

TEST(ResizeTest, HalvesBothAxesByRoundedMeans) {
  const uint8_t grey[4] = {1, 2, 2, 5};
  const BgrImage out = ResizeImageSlowly({grey, 2, 2, 2, PixelFormat::kGray8}, 1, 1);
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{3, 3, 3}));  // (10 + 2) >> 2
}

struct Case {
  int source_width, source_height, width, height;
  const char* why;
};

TEST(ResizeTest, RowsAgreeWithTheReferenceInEveryLayout) {
  const Case kCases[] = {
      {1, 1, 1, 1, "smallest"},
      {1, 1, 5, 7, "one pixel grows"},
      {5, 7, 1, 1, "all becomes one pixel"},
      {13, 9, 13, 9, "equal sizes copy"},
      {26, 18, 13, 9, "exact halves"},
      {26, 9, 13, 9, "half in one axis only"},
      {26, 19, 13, 9, "nearly halves"},
      {33, 21, 64, 40, "grows"},
      {97, 61, 31, 20, "shrinks, rows are skipped"},
      {300, 30, 480, 48, "a line of text"},
      {7, 1, 320, 48, "one row"},
      {1, 90, 3, 48, "one column"},
  };
  WithEachTarget([&] {
    std::mt19937 random(1);
    for (const Case& c : kCases) {
      for (const PixelFormat layout : kAllLayouts) {
        for (const bool bottom_up : {false, true}) {
          const TestImage source(c.source_width, c.source_height, layout, bottom_up, &random);
          SCOPED_TRACE(testing::Message() << c.why << ", layout " << static_cast<int>(layout));
          const BgrImage expected = ResizeImageSlowly(source.view(), c.width, c.height);
          const ResizePlan plan(c.source_width, c.source_height, c.width, c.height);
          const int row_width = c.width + 3;
          std::vector<float> out(static_cast<size_t>(row_width) * c.height * 3, -1.0f);
          // In two parts, the lower one first: rows do not depend on rows computed before.
          const int middle = c.height / 2;
          ResizeNormalise(source.view(), plan, kOwn, middle, c.height, row_width, out.data());
          ResizeNormalise(source.view(), plan, kOwn, 0, middle, row_width, out.data());
          for (int y = 0; y < c.height; ++y) {
            for (int x = 0; x < row_width; ++x) {
              for (int channel = 0; channel < 3; ++channel) {
                const float want = x < c.width ? kOwn(channel, expected.row(y)[x * 3 + channel]) : 0.0f;
                ASSERT_EQ(out[(static_cast<size_t>(y) * row_width + x) * 3 + channel], want) << x << ", " << y;
              }
            }
          }
        }
      }
    }
  });
}

TEST(ResizeTest, EveryLayoutGivesTheResultOfTheConvertedImage) {
  std::mt19937 random(2);
  for (const PixelFormat layout : kAllLayouts) {
    const TestImage source(17, 11, layout, false, &random);
    BgrImage converted(17, 11);
    CopyBgr(source.view(), 0, 0, 17, 11, converted.pixels.data(), 17 * 3);
    EXPECT_EQ(ResizeImageSlowly(source.view(), 23, 8).pixels, ResizeImageSlowly(converted.view(), 23, 8).pixels);
  }
}

TEST(ResizeTest, SolidImagesStaySolid) {
  BgrImage white(37, 23);
  std::fill(white.pixels.begin(), white.pixels.end(), uint8_t{255});
  const BgrImage out = ResizeImageSlowly(white.view(), 101, 64);
  EXPECT_EQ(out.pixels, std::vector<uint8_t>(101 * 64 * 3, 255));
}

TEST(ImageTest, SaysWhatIsWrongWithAView) {
  const uint8_t pixels[64] = {};
  EXPECT_TRUE(CheckImage({pixels, 4, 2, 12, PixelFormat::kBgr24}).ok());
  EXPECT_TRUE(CheckImage({pixels + 12, 4, 2, -12, PixelFormat::kBgr24}).ok());
  EXPECT_EQ(CheckImage({nullptr, 4, 2, 12, PixelFormat::kBgr24}).message(), "image: pixels is null");
  EXPECT_EQ(CheckImage({pixels, 0, 2, 12, PixelFormat::kBgr24}).message(),
            "image: expected at least 1 x 1 px, got 0 x 2");
  EXPECT_EQ(CheckImage({pixels, 4, 2, 12, PixelFormat::kBgra32}).message(),
            "image: a row of 4 px needs a stride of at least 16 bytes, got 12");
  EXPECT_EQ(CheckImage({pixels, 4, 2, -11, PixelFormat::kBgr24}).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace inkread
