// The strips of a long map: where they lie, and that their parts make the whole.
#include "ocr/strips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace inkread {
namespace {

TEST(StripsTest, OwnPartsFollowEachOtherAndHaveContextOnBothSides) {
  for (int length = 4032; length <= 60000; length += 32) {
    const std::vector<Strip> strips = MakeStrips(length);
    ASSERT_GT(strips.size(), 1u);
    EXPECT_EQ(strips.front().begin, 0);
    EXPECT_EQ(strips.back().end, length);
    int at = 0;
    for (const Strip& strip : strips) {
      ASSERT_EQ(strip.end - strip.begin, strips[0].end) << "one plan serves all";
      ASSERT_EQ(strip.begin % kDetMultiple, 0);
      ASSERT_EQ(strip.own_begin, at);
      ASSERT_GT(strip.own_end, strip.own_begin);
      ASSERT_TRUE(strip.own_begin == 0 || strip.own_begin - strip.begin >= 100) << length;
      ASSERT_TRUE(strip.own_end == length || strip.end - strip.own_end >= 100) << length;
      at = strip.own_end;
    }
    EXPECT_EQ(at, length);
  }
}

TEST(StripsTest, AShortMapIsOneStrip) {
  EXPECT_EQ(MakeStrips(1280), (std::vector<Strip>{{0, 1280, 0, 1280}}));
  EXPECT_FALSE(NeedsStrips({4000, 4000}));
  EXPECT_TRUE(NeedsStrips({32, 4032}));
  EXPECT_TRUE(NeedsStrips({4032, 32}));
}

// Each strip takes its values out of a map; together they give the map back.
TEST(StripsTest, TheirPartsMakeTheWhole) {
  for (const Size& map : {Size{4512, 64}, Size{64, 4512}}) {
    std::vector<float> values(size_t{1} * map.height * map.width), whole(values.size(), -1);
    std::iota(values.begin(), values.end(), 0.0f);
    for (const Strip& strip : MakeStrips(4512)) {
      const Size size = SizeOf(strip, map);
      std::vector<float> seen;
      for (int y = 0; y < size.height; ++y) {
        const int row = map.height > map.width ? y + strip.begin : y, column = map.width > map.height ? strip.begin : 0;
        const auto from = values.begin() + row * map.width + column;
        seen.insert(seen.end(), from, from + size.width);
      }
      CopyOwnPart(seen, strip, map, whole);
    }
    EXPECT_EQ(whole, values);
  }
}

TEST(StripsTest, AStripSeesItsPartOfTheImage) {
  std::vector<uint8_t> pixels(size_t{9024} * 40 * 3);
  const Strip strip{1024, 2304, 1152, 2176};
  const ImageView wide{pixels.data(), 9024, 40, 9024 * 3, PixelFormat::kBgr24};  // the map has half its size
  const ImageView right = PartOf(wide, {32, 4512}, strip);
  EXPECT_EQ(right.pixels, pixels.data() + 2048 * 3);
  EXPECT_EQ(right.width_px, 2560);
  EXPECT_EQ(right.height_px, 40);
  const ImageView tall{pixels.data(), 40, 9024, 40 * 3, PixelFormat::kBgr24};
  const ImageView below = PartOf(tall, {4512, 32}, strip);
  EXPECT_EQ(below.pixels, pixels.data() + 2048 * 40 * 3);
  EXPECT_EQ(below.width_px, 40);
  EXPECT_EQ(below.height_px, 2560);
}

}  // namespace
}  // namespace inkread
