// Scoring on cases small enough to count by hand; bench/result_test.py has the same ones.
#include "apps/text_score.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

Quad Box(double x, double y, double w, double h) {
  return {Corner{x, y}, Corner{x + w, y}, Corner{x + w, y + h}, Corner{x, y + h}};
}

TEST(IntersectionOverUnionTest, OfBoxes) {
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 10, 10), Box(0, 0, 10, 10)), 1);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 10, 10), Box(20, 0, 10, 10)), 0);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 10, 10), Box(10, 0, 10, 10)), 0);  // an edge in common
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 10, 10), Box(0, 0, 10, 5)), 0.5);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 10, 10), Box(5, 0, 10, 10)), 50.0 / 150);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 0, 10), Box(0, 0, 10, 10)), 0);  // no area
}

TEST(IntersectionOverUnionTest, OfTurnedQuadsInEitherSense) {
  const Quad diamond = {Corner{5, 0}, Corner{10, 5}, Corner{5, 10}, Corner{0, 5}};
  const Quad other_way = {diamond[3], diamond[2], diamond[1], diamond[0]};
  for (const Quad& quad : {diamond, other_way}) {
    EXPECT_DOUBLE_EQ(IntersectionOverUnion(quad, Box(0, 0, 10, 10)), 0.5);
    EXPECT_DOUBLE_EQ(IntersectionOverUnion(Box(0, 0, 5, 10), quad), 25.0 / 75);
    EXPECT_DOUBLE_EQ(IntersectionOverUnion(quad, diamond), 1);
  }
}

TextScore Score(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found,
                TextForm form = TextForm::kRaw) {
  TextScore score;
  AddImage(truth, found, form, &score);
  return score;
}

// Exact lines, exact images, edits and characters.
void ExpectScore(const TextScore& score, int64_t exact, int64_t images, int64_t edits, int64_t characters) {
  EXPECT_EQ(score.exact_lines, exact);
  EXPECT_EQ(score.exact_images, images);
  EXPECT_EQ(score.edits, edits);
  EXPECT_EQ(score.characters, characters);
}

TEST(TextScoreTest, CountsExactLinesAndEdits) {
  const std::vector<PlacedLine> truth = {{"合计 1", Box(0, 0, 30, 10)}};
  ExpectScore(Score(truth, {{"合计 1", Box(1, 0, 29, 10)}}), 1, 1, 0, 4);
  ExpectScore(Score(truth, {{"合汁1", Box(1, 0, 29, 10)}}), 0, 0, 2, 4);
}

TEST(TextScoreTest, CountsWhatOnlyOneSideHas) {
  const std::vector<PlacedLine> truth = {{"abc", Box(0, 0, 30, 10)}, {"defg", Box(0, 50, 30, 10)}};
  ExpectScore(Score(truth, {truth[0]}), 1, 0, 4, 7);
  ExpectScore(Score({truth[0]}, {truth[0], {"xy", Box(0, 50, 30, 10)}}), 1, 0, 2, 3);
  ExpectScore(Score(truth, {}), 0, 0, 7, 7);
  // The right text at the wrong place counts twice.
  ExpectScore(Score({truth[0]}, {{"abc", Box(0, 50, 30, 10)}}), 0, 0, 6, 3);
}

TEST(TextScoreTest, HalfIsEnoughAndLessIsNot) {
  const std::vector<PlacedLine> truth = {{"abc", Box(0, 0, 30, 10)}};
  ExpectScore(Score(truth, {{"abc", Box(0, 0, 15, 10)}}), 1, 1, 0, 3);
  ExpectScore(Score(truth, {{"abc", Box(0, 0, 14, 10)}}), 0, 0, 6, 3);
}

TEST(TextScoreTest, AFindBelongsToTheLineItSharesMostWith) {
  const std::vector<PlacedLine> truth = {{"abc", Box(0, 0, 30, 10)}, {"abd", Box(0, 2, 30, 10)}};
  ExpectScore(Score(truth, {{"abd", Box(0, 2, 30, 10)}, {"abc", Box(0, 0, 30, 10)}}), 2, 1, 0, 6);
}

TEST(TextScoreTest, JoinsSeveralFindsInReadingDirection) {
  ExpectScore(Score({{"abcd", Box(0, 0, 40, 10)}}, {{"cd", Box(20, 0, 20, 10)}, {"ab", Box(0, 0, 20, 10)}}), 1, 1, 0,
              4);
  // A tall line runs downwards.
  ExpectScore(Score({{"上下", Box(0, 0, 10, 40)}}, {{"下", Box(0, 20, 10, 20)}, {"上", Box(0, 0, 10, 20)}}), 1, 1, 0,
              2);
  // Upside-down text runs to the left.
  const Quad turned = {Corner{40, 10}, Corner{0, 10}, Corner{0, 0}, Corner{40, 0}};
  ExpectScore(Score({{"abcd", turned}}, {{"cd", Box(0, 0, 20, 10)}, {"ab", Box(20, 0, 20, 10)}}), 1, 1, 0, 4);
}

TEST(TextScoreTest, EmptyTexts) {
  const Quad box = Box(0, 0, 30, 10);
  ExpectScore(Score({{"", box}}, {}), 0, 0, 0, 0);  // nothing was found, so the line is not exact
  ExpectScore(Score({{"", box}}, {{"", box}}), 1, 1, 0, 0);
  ExpectScore(Score({{"abc", box}}, {{"", box}}), 0, 0, 3, 3);
  ExpectScore(Score({}, {}), 0, 1, 0, 0);
  ExpectScore(Score({}, {{"", box}}), 0, 1, 0, 0);
  EXPECT_FALSE(Score({}, {{"a", box}}).Cer().has_value());
}

TEST(TextScoreTest, NfkcWithoutSpaces) {
  const std::vector<PlacedLine> truth = {{"AB:1", Box(0, 0, 30, 10)}};
  const std::vector<PlacedLine> found = {{"Ａ B：1", Box(0, 0, 30, 10)}};
  ExpectScore(Score(truth, found), 0, 0, 3, 4);
  ExpectScore(Score(truth, found, TextForm::kNfkcWithoutSpaces), 1, 1, 0, 4);
}

TEST(TextScoreTest, AddsUpOverImages) {
  TextScore score;
  const Quad box = Box(0, 0, 30, 10);
  AddImage({{"abc", box}}, {{"abc", box}}, TextForm::kRaw, &score);
  AddImage({{"de", box}}, {{"d e", box}}, TextForm::kRaw, &score);
  ExpectScore(score, 1, 1, 1, 5);
  EXPECT_EQ(score.lines, 2);
  EXPECT_DOUBLE_EQ(*score.Cer(), 0.2);
}

}  // namespace
}  // namespace inkread
