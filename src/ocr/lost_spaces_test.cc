#include "ocr/lost_spaces.h"

#include <gtest/gtest.h>

#include <string>

namespace inkread {
namespace {

constexpr int kA = 1, kHan = 2, kFullStop = 3, kPoint = 4, kOne = 5, kSpace = 6;

Dictionary Letters() { return Dictionary::FromText("a\n\u4e2d\n\uff0e\n.\n1\n", "dict.txt", 7).value(); }

std::string TextOf(std::vector<CtcStep> steps) {
  const Dictionary dictionary = Letters();
  AddLostSpaces(dictionary, steps);
  return DecodeCtc(steps, dictionary).text;
}

TEST(AddLostSpacesTest, AProbableOneIsAdded) {
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 0.04f}, {0, 0, 0.05f}, {0, 0, 0.01f}, {kA, 1}}), "a a");
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 0.04f}, {0, 0, 0.03f}, {0, 0, 0.01f}, {kA, 1}}), "aa");
}

// The last class is "b" then, and CtcStep::space its probability.
TEST(AddLostSpacesTest, NoneWhereTheRecogniserKnowsNoSpace) {
  const Dictionary letters = Dictionary::FromText("a\nb\n", "dict.txt", 3, true).value();
  std::vector<CtcStep> steps = {{1, 1}, {0, 0, 0.9f}, {0, 0, 0.9f}, {0, 0, 0.9f}, {1, 1}};
  AddLostSpaces(letters, steps);
  EXPECT_EQ(DecodeCtc(steps, letters).text, "aa");
}

TEST(AddLostSpacesTest, TheStepThatSaysItMostClearlyBecomesTheSpace) {
  std::vector<CtcStep> steps = {{kA, 1}, {0, 0, 0.3f}, {0, 0, 0.6f}, {0, 0, 0.4f}, {kA, 1}};
  AddLostSpaces(Letters(), steps);
  EXPECT_EQ(steps[1].index, 0);
  EXPECT_EQ(steps[2].index, kSpace);
  EXPECT_EQ(steps[3].index, 0);
}

TEST(AddLostSpacesTest, NoneAtTheEndsOrBesideAnother) {
  EXPECT_EQ(TextOf({{0, 0, 1}, {kA, 1}, {0, 0, 1}}), "a");
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 1}, {kSpace, 1}, {0, 0, 1}, {0, 0, 1}, {kA, 1}}), "a a");
  EXPECT_EQ(TextOf({{0, 0, 1}, {0, 0, 1}}), "");
  EXPECT_EQ(TextOf({}), "");
}

TEST(AddLostSpacesTest, NoneWithinAnUnspacedScript) {
  EXPECT_EQ(TextOf({{kHan, 1}, {0, 0, 1}, {kHan, 1}}), "\u4e2d\u4e2d");
  EXPECT_EQ(TextOf({{kFullStop, 1}, {0, 0, 1}, {kHan, 1}}), "\uff0e\u4e2d");
  EXPECT_EQ(TextOf({{kHan, 1}, {0, 0, 1}, {kA, 1}, {0, 0, 1}, {kHan, 1}}), "\u4e2d a \u4e2d");
}

TEST(AddLostSpacesTest, LettersOfAWordAreCloser) {
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 0.8f}, {0, 0, 0.8f}, {kA, 1}}), "aa");
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 0.8f}, {0, 0, 0.8f}, {0, 0}, {kA, 1}}), "a a");
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 0.8f}, {kOne, 1}}), "a 1");
}

TEST(AddLostSpacesTest, NoneBetweenDigits) {
  EXPECT_EQ(TextOf({{kOne, 1}, {0, 0, 1}, {kOne, 1}, {0, 0, 1}, {kA, 1}}), "11 a");
}

TEST(AddLostSpacesTest, NoneWithinTheNameOfAFile) {
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 1}, {kPoint, 1}, {0, 0, 1}, {kA, 1}}), "a.a");
  EXPECT_EQ(TextOf({{kA, 1}, {0, 0, 1}, {kPoint, 1}, {0, 0, 1}, {kOne, 1}}), "a. 1");
}

// A step of a character says how probable a space is there, too.
TEST(AddLostSpacesTest, CharactersStay) {
  EXPECT_EQ(TextOf({{kA, 1, 0.9f}, {kA, 1, 0.9f}, {kHan, 1, 0.9f}, {kA, 1, 0.9f}}), "a\u4e2da");
}

TEST(AddLostSpacesTest, TheLineKeepsItsScore) {
  const Dictionary dictionary = Letters();
  std::vector<CtcStep> steps = {{kA, 0.5f}, {0, 0, 0.1f}, {kOne, 1}, {0, 0, 0.1f}, {kA, 0.75f}};
  const double score = DecodeCtc(steps, dictionary).score;
  AddLostSpaces(dictionary, steps);
  const CtcText text = DecodeCtc(steps, dictionary);
  EXPECT_EQ(text.text, "a 1 a");
  EXPECT_DOUBLE_EQ(text.score, score);
}

}  // namespace
}  // namespace inkread
