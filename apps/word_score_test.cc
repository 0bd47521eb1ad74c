// Scoring on cases small enough to count by hand.
#include "apps/word_score.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

Quad Box(double x, double y, double w, double h) {
  return {Corner{x, y}, Corner{x + w, y}, Corner{x + w, y + h}, Corner{x, y + h}};
}

WordScore Score(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found) {
  WordScore score;
  AddWords(truth, found, &score);
  return score;
}

TEST(ContainsTest, QuadsInEitherSenseWithTheirEdges) {
  const Quad diamond = {Corner{5, 0}, Corner{10, 5}, Corner{5, 10}, Corner{0, 5}};
  for (const Quad& quad : {diamond, Quad{diamond[3], diamond[2], diamond[1], diamond[0]}}) {
    EXPECT_TRUE(Contains(quad, {5, 5}));
    EXPECT_TRUE(Contains(quad, {5, 0}));
    EXPECT_FALSE(Contains(quad, {1, 1}));
  }
  EXPECT_FALSE(Contains(Box(0, 0, 0, 10), {0, 5}));
}

TEST(WordScoreTest, TakesTheBestWordForTheIouAndAnyForTheCentre) {
  const PlacedLine truth = {"ab cd", Box(0, 0, 50, 10), {Box(0, 0, 20, 10), Box(30, 0, 20, 10)}};
  PlacedLine found = truth;
  found.words = {Box(0, 0, 10, 10), Box(10, 0, 10, 10), Box(30, 0, 20, 5)};
  const WordScore score = Score({truth}, {found});
  EXPECT_EQ(score.words, 2);
  EXPECT_EQ(score.found_words, 3);
  EXPECT_DOUBLE_EQ(*score.Iou(), 0.5);
  EXPECT_DOUBLE_EQ(*score.Centres(), 1);
}

TEST(WordScoreTest, AWordAcrossAGapIsNoGoodPlace) {
  const PlacedLine truth = {"ab cd", Box(0, 0, 50, 10), {Box(0, 0, 20, 10), Box(30, 0, 20, 10)}};
  PlacedLine found = truth;
  found.words = {Box(0, 0, 50, 10)};
  const WordScore score = Score({truth}, {found});
  EXPECT_DOUBLE_EQ(*score.Iou(), 0.4);
  EXPECT_DOUBLE_EQ(*score.Centres(), 0);
}

TEST(WordScoreTest, CountsNoLineThatWasNotFoundOrHasNoWords) {
  const PlacedLine line = {"ab", Box(0, 0, 20, 10), {Box(0, 0, 20, 10)}};
  const PlacedLine elsewhere = {"ab", Box(0, 50, 20, 10), {Box(0, 50, 20, 10)}};
  PlacedLine unknown = line;
  unknown.words.clear();
  EXPECT_EQ(Score({line}, {elsewhere}).words, 0);
  EXPECT_FALSE(Score({unknown}, {line}).Iou().has_value());
  EXPECT_FALSE(Score({line}, {unknown}).Centres().has_value());
  EXPECT_DOUBLE_EQ(*Score({line}, {unknown}).Iou(), 0);
}

TEST(WordScoreTest, JoinsTheWordsOfSeveralLinesAndAddsUp) {
  const PlacedLine truth = {"abcd", Box(0, 0, 40, 10), {Box(0, 0, 20, 10), Box(20, 0, 20, 10)}};
  const PlacedLine left = {"ab", Box(0, 0, 21, 10), {Box(0, 0, 20, 10)}};
  const PlacedLine right = {"cd", Box(19, 0, 21, 10), {Box(20, 0, 20, 10)}};
  WordScore score = Score({truth}, {right, left});
  EXPECT_DOUBLE_EQ(*score.Iou(), 1);
  AddWords({truth}, {left}, &score);
  EXPECT_EQ(score.words, 4);
  EXPECT_DOUBLE_EQ(*score.Iou(), 0.75);
}

}  // namespace
}  // namespace inkread
