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

TEST(CtcCharactersTest, KeepTheStepsOfEachRun) {
  const std::vector<CtcStep> steps = {{0, 1}, {1, 0.5f}, {1, 0.25f}, {2, 0.75f}, {0, 1}, {2, 1}};
  const std::vector<CtcCharacter> characters = CtcCharacters(steps);
  ASSERT_EQ(characters.size(), 3u);
  const CtcCharacter& first = characters[0];
  EXPECT_EQ(first.index, 1);
  EXPECT_EQ(first.probability, 0.5f);
  EXPECT_EQ(first.first_step, 1);
  EXPECT_EQ(first.last_step, 2);
  EXPECT_EQ(characters[1].first_step, 3);
  EXPECT_EQ(characters[1].last_step, 3);
  EXPECT_EQ(characters[2].index, 2);
  EXPECT_EQ(characters[2].first_step, 5);
}

TEST(DecodeCtcTest, NothingReadScoresZero) {
  EXPECT_EQ(Decode({}).text, "");
  EXPECT_EQ(Decode({{0, 1}, {0, 1}}).text, "");
  EXPECT_EQ(Decode({{0, 1}, {0, 1}}).score, 0);
}

}  // namespace
}  // namespace inkread
