#include "ocr/long_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace inkread {
namespace {

constexpr auto kRule = RecWidthRule::kMeasured;

TEST(PartsOfLineTest, OrdinaryLinesAreOnePart) {
  for (const int width : {1, 100, 5000, 10000}) {
    const std::vector<LinePart> parts = PartsOfLine(width, 30, kRule);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].width, RecInputWidth(width, 30, kRule));
    EXPECT_EQ(WholeWidth(parts), parts[0].width);
    EXPECT_EQ(parts[0].begin, 0);
    EXPECT_EQ(parts[0].end, 1);
  }
  EXPECT_EQ(PartsOfLine(1000000, 30, RecWidthRule::kOfficial).size(), 1u);
}

TEST(PartsOfLineTest, PartsOfALongLineOverlapAndCoverIt) {
  for (const int width : {10001, 15000, 20301, 79999, 80000}) {
    const std::vector<LinePart> parts = PartsOfLine(width, 30, kRule);
    ASSERT_GE(parts.size(), 2u) << width;
    EXPECT_EQ(parts[0].begin, 0);
    EXPECT_EQ(parts.back().end, 1);
    const double columns = width * 48 / 30.0;
    EXPECT_NEAR(WholeWidth(parts).used, columns, 1) << width;
    for (size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].first_column % 8, 0);
      EXPECT_NEAR(parts[i].begin * columns, parts[i].first_column, 1) << width;
      EXPECT_NEAR((parts[i].end - parts[i].begin) * columns, parts[i].width.used, 1) << width;
      if (i == 0) continue;
      EXPECT_EQ(parts[i - 1].first_column + parts[i - 1].width.used - parts[i].first_column, 480);
    }
  }
}

TEST(PartsOfLineTest, EndlessOnesAreSqueezed) {
  const std::vector<LinePart> parts = PartsOfLine(100000000, 1, kRule);
  EXPECT_EQ(parts.size(), 16u);
  EXPECT_EQ(WholeWidth(parts).used, 128000);
}

// The steps of a line of 40,000 columns: characters of one to three steps with blanks between them.
std::vector<CtcStep> RandomLine(std::mt19937& random) {
  std::vector<CtcStep> steps;
  while (steps.size() < 5000) {
    const int index = 1 + static_cast<int>(random() % 9);
    for (size_t i = 1 + random() % 3; i > 0; --i) steps.push_back({index, 0.9f, 0});
    for (size_t i = 1 + random() % 4; i > 0; --i) steps.push_back({0, 0, 0.01f});
  }
  steps.resize(5000);
  return steps;
}

// What a recogniser sees of a part: characters that the ends of the part cut are other ones.
std::vector<CtcStep> Part(const std::vector<CtcStep>& line, const LinePart& part) {
  const size_t first = static_cast<size_t>(part.first_column) / 8, count = static_cast<size_t>(part.width.total) / 8;
  std::vector<CtcStep> steps(count);
  for (size_t i = 0; i < count && first + i < line.size(); ++i) steps[i] = line[first + i];
  const auto spoil = [](CtcStep& step) { step.index = step.index == 0 ? 0 : 10; };
  if (first > 0) std::for_each(steps.begin(), steps.begin() + 4, spoil);
  if (first + count < line.size()) std::for_each(steps.end() - 4, steps.end(), spoil);
  return steps;
}

TEST(JoinPartsTest, NothingIsLostOrDoubled) {
  std::mt19937 random(1);
  const std::vector<LinePart> parts = PartsOfLine(40000, 48, kRule);
  ASSERT_EQ(parts.size(), 5u);
  for (int round = 0; round < 50; ++round) {
    const std::vector<CtcStep> line = RandomLine(random);
    std::vector<std::vector<CtcStep>> steps;
    for (const LinePart& part : parts) steps.push_back(Part(line, part));
    const std::vector<CtcStep> joined = JoinParts(parts, steps);
    ASSERT_EQ(joined.size(), static_cast<size_t>(WholeWidth(parts).total) / 8);
    for (size_t i = 0; i < line.size(); ++i) ASSERT_EQ(joined[i].index, line[i].index) << round << ", step " << i;
  }
}

// Where the parts see a character a step apart, it is still read once.
TEST(JoinPartsTest, TheWidestGapIsWhereTheyMeet) {
  const std::vector<LinePart> parts = PartsOfLine(16480, 48, kRule);
  ASSERT_EQ(parts.size(), 2u);
  std::vector<std::vector<CtcStep>> steps = {std::vector<CtcStep>(1060), std::vector<CtcStep>(1060)};
  for (size_t i = 0; i < 60; i += 2) {
    if (i >= 40 && i < 46) continue;
    steps[0][1000 + i] = {static_cast<int>(1 + i), 1, 0};
    steps[1][i + 1] = {static_cast<int>(1 + i), 1, 0};
  }
  std::vector<int> seen;
  for (const CtcCharacter& c : CtcCharacters(JoinParts(parts, steps))) seen.push_back(c.index);
  std::vector<int> expected;
  for (int i = 0; i < 60; i += 2)
    if (i < 40 || i >= 46) expected.push_back(1 + i);
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace inkread
