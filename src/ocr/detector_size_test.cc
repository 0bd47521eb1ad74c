// The sizes of the looks of profile `auto`, and which boxes of two looks count.
#include "ocr/detector_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace inkread {
namespace {

TEST(DetectorSizeTest, LooksHaveTheSizesOfTheTable) {
  struct Case {
    Size source, full;
    std::optional<Size> first;
    const char* why;
  };
  const Case kCases[] = {
      {{1000, 762}, {992, 768}, std::nullopt, "hardly larger than 960 px"},
      {{900, 1250}, {896, 1248}, std::nullopt, "960 px are more than three quarters"},
      {{1000, 1400}, {992, 1408}, Size{672, 960}, "960 px"},
      {{1754, 1240}, {1760, 1248}, Size{960, 672}, "A4 at 150 dpi"},
      {{2550, 3300}, {2560, 3296}, Size{1024, 1312}, "shrinks 2.5 times at most"},
      {{4000, 6000}, {2656, 4000}, Size{1056, 1600}, "the official cap, then 2.5 times less"},
      {{2000, 800}, {1984, 800}, Size{1184, 480}, "the shorter side is not below 480 px"},
      {{30000, 500}, {30016, 512}, std::nullopt, "a receipt keeps its width"},
      {{20000, 1080}, {17216, 928}, Size{8896, 480}, "a long screenshot has no more than 16 million pixels"},
      {{15000, 1200}, {12000, 960}, Size{6016, 480}, "and is 960 px wide"},
      {{50000, 2000}, {20000, 800}, Size{12000, 480}, "a longer one"},
      {{16, 5000}, {64, 20000}, std::nullopt, "a flat one is enlarged as officially"},
      {{1, 100000000}, {32, 500000}, std::nullopt, "the longest"},
      {{10, 20}, {64, 64}, std::nullopt, "a tiny one"},
  };
  for (const Case& c : kCases) {
    const Size full = FullLookSize(c.source.height, c.source.width, {});
    EXPECT_EQ(full, c.full) << c.why << ": " << full.height << " x " << full.width;
    const std::optional<Size> first = FirstLookSize(full);
    EXPECT_EQ(first, c.first) << c.why << ": " << (first ? first->height : 0) << " x " << (first ? first->width : 0);
  }
}

TEST(DetectorSizeTest, TheFullSizeIsTheOfficialOneUpToItsCapAndIsBounded) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const int height = static_cast<int>(random() % 40000) + 1;
    const int width = static_cast<int>(random() % std::min(100'000'000 / height, 40000)) + 1;
    const Size official = DetInputSize(height, width, {}), full = FullLookSize(height, width, {});
    if (std::max(official.height, official.width) < 4000) {
      ASSERT_EQ(full, official) << height << " x " << width;
    }
    ASSERT_LE(int64_t{1} * full.height * full.width, 17'000'000) << height << " x " << width;
    ASSERT_GE(int64_t{1} * full.height * full.width, int64_t{1} * official.height * official.width * 9 / 10)
        << height << " x " << width;
    if (const std::optional<Size> first = FirstLookSize(full)) {
      ASSERT_LE(int64_t{1} * first->height * first->width * 5, int64_t{3} * full.height * full.width);
      const Size last = LastLookSize(full);
      ASSERT_EQ(std::max(last.height, last.width), 800);
      ASSERT_LT(int64_t{1} * last.height * last.width, int64_t{1} * first->height * first->width);
    }
  }
}

TEST(DetectorSizeTest, TheLastLookIsASmallOne) {
  EXPECT_EQ(LastLookSize({3520, 2496}), (Size{800, 576}));
  EXPECT_EQ(LastLookSize({2656, 4000}), (Size{544, 800}));
  EXPECT_EQ(LastLookSize({8896, 480}), (Size{800, 32}));
}

DetBox Box(int left, int top, int right, int bottom) {
  return {{{{left, top}, {right, top}, {right, bottom}, {left, bottom}}}, 0.9};
}

TEST(DetectorSizeTest, AFullLookFollowsSmallTextAndNothing) {
  const std::vector<DetBox> some = {Box(0, 0, 100, 20)};
  EXPECT_FALSE(NeedsFullLook(some, {}));
  EXPECT_TRUE(NeedsFullLook({}, {}));
  EXPECT_TRUE(NeedsFullLook(some, {false, true}));
}

TEST(DetectorSizeTest, BoxesOfTheFirstLookCountWhereTheFullOneFoundNothing) {
  const std::vector<DetBox> full = {Box(0, 0, 100, 20), Box(0, 30, 100, 50)};
  const std::vector<DetBox> first = {Box(90, 15, 200, 40),  // touches both
                                     Box(0, 80, 100, 100),  // apart
                                     Box(10, 85, 50, 95)};  // within another of its own look
  const std::vector<DetBox> both = BothLooks(full, first);
  ASSERT_EQ(both.size(), 4u);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(both[i].quad, full[i].quad);
  EXPECT_EQ(both[2].quad, first[1].quad);
  EXPECT_EQ(both[3].quad, first[2].quad);
}

}  // namespace
}  // namespace inkread
