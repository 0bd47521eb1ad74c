#include "ocr/ctc.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

CtcText Decode(const std::vector<CtcStep>& steps) {
  const auto dictionary = Dictionary::FromText("a\nb\n", "dict.txt", 4);
  return DecodeCtc(steps, *dictionary);
}

TEST(DecodeCtcTest, RepeatsAreOneAndABlankParts) {
  EXPECT_EQ(Decode({{1, 1}, {1, 1}, {2, 1}, {2, 1}}).text, "ab");
  EXPECT_EQ(Decode({{1, 1}, {0, 1}, {1, 1}}).text, "aa");
  EXPECT_EQ(Decode({{0, 1}, {1, 1}, {3, 1}, {2, 1}, {0, 1}}).text, "a b");
}

TEST(DecodeCtcTest, TheScoreIsTheMeanOfFirstSteps) {
  // The repeat's 0.125 and the blank's 0.25 do not count.
  EXPECT_DOUBLE_EQ(Decode({{1, 0.5f}, {1, 0.125f}, {0, 0.25f}, {2, 1}}).score, 0.75);
}

TEST(DecodeCtcTest, NothingReadScoresZero) {
  EXPECT_EQ(Decode({}).text, "");
  EXPECT_EQ(Decode({{0, 1}, {0, 1}}).text, "");
  EXPECT_EQ(Decode({{0, 1}, {0, 1}}).score, 0);
}

}  // namespace
}  // namespace inkread
