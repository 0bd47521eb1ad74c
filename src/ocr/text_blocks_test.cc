#include "ocr/text_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inkread {
namespace {

using Lists = std::vector<std::vector<int>>;

// A line of height 20; y is that of its middle.
LayoutBox Line(double x, double y, double width, double height = 20) {
  return {x, y - height / 2, x + width, y + height / 2};
}

Lists Blocks(const std::vector<LayoutBox>& lines, bool has_rows = true) {
  Lists blocks;
  for (const TextBlock& block : MakeTextBlocks(lines, has_rows)) blocks.push_back(block.lines);
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

TEST(TextBlocksTest, LinesThatFollowEachOtherAreABlock) {
  EXPECT_EQ(Blocks({Line(0, 0, 200), Line(0, 30, 190), Line(0, 60, 90)}), (Lists{{0, 1, 2}}));
}

TEST(TextBlocksTest, ABlockHasTheBoxOfItsLinesAndTheirMedianHeight) {
  const std::vector<TextBlock> blocks = MakeTextBlocks(std::vector{Line(0, 0, 200), Line(5, 30, 210, 24)}, true);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].box.left, 0);
  EXPECT_EQ(blocks[0].box.top, -10);
  EXPECT_EQ(blocks[0].box.right, 215);
  EXPECT_EQ(blocks[0].box.bottom, 42);
  EXPECT_EQ(blocks[0].line_height, 20);
}

TEST(TextBlocksTest, AGreaterDistanceOrAnotherSizeEndsABlock) {
  EXPECT_EQ(Blocks({Line(0, 0, 200), Line(0, 30, 190), Line(0, 60, 200), Line(0, 105, 200)}), (Lists{{0, 1, 2}, {3}}));
  EXPECT_EQ(Blocks({Line(0, 0, 200, 40), Line(0, 45, 190), Line(0, 75, 190)}), (Lists{{0}, {1, 2}}));
}

TEST(TextBlocksTest, LinesOfAWideLineOverColumnsStayApart) {
  EXPECT_EQ(Blocks({Line(0, 0, 400), Line(0, 30, 190), Line(210, 30, 190), Line(0, 60, 190), Line(210, 60, 190)}),
            (Lists{{0}, {1, 3}, {2, 4}}));
}

TEST(TextBlocksTest, CellsOnOneBaselineAreARow) {
  EXPECT_EQ(Blocks({Line(0, 0, 60), Line(200, 2, 40), Line(0, 40, 50), Line(200, 40, 45)}), (Lists{{0, 1}, {2, 3}}));
}

TEST(TextBlocksTest, ProseHasNoRowsWithProse) {
  EXPECT_EQ(Blocks({Line(0, 0, 190), Line(0, 30, 185), Line(210, 0, 190), Line(210, 30, 188)}),
            (Lists{{0, 1}, {2, 3}}));
}

TEST(TextBlocksTest, NumbersThatGoAlongProseAreInRowsWithIt) {
  EXPECT_EQ(Blocks({Line(0, 0, 15), Line(40, 0, 200), Line(40, 30, 190), Line(0, 60, 15), Line(40, 60, 195),
                    Line(40, 90, 120)}),
            (Lists{{0, 1}, {2}, {3, 4}, {5}}));
}

TEST(TextBlocksTest, ACaptionBesideProseIsNotInRowsWithIt) {
  EXPECT_EQ(Blocks({Line(0, 0, 200), Line(0, 30, 200), Line(0, 60, 200), Line(0, 90, 200), Line(0, 120, 200),
                    Line(240, 60, 60), Line(240, 90, 40)}),
            (Lists{{0, 1, 2, 3, 4}, {5, 6}}));
}

TEST(TextBlocksTest, ListsThatAreOnCommonBaselinesByChanceHaveNoRows) {
  EXPECT_EQ(Blocks({Line(0, 0, 60), Line(0, 40, 50), Line(0, 80, 60), Line(0, 120, 55), Line(200, 0, 60),
                    Line(200, 28, 50), Line(200, 56, 60), Line(200, 84, 55), Line(200, 112, 55)}),
            (Lists{{0, 1, 2, 3}, {4, 5, 6, 7, 8}}));
}

TEST(TextBlocksTest, PiecesOfALineAreOneLineOfTheirBlock) {
  EXPECT_EQ(Blocks({Line(0, 0, 200), Line(0, 30, 90), Line(95, 31, 105), Line(0, 60, 200)}), (Lists{{0, 1, 2, 3}}));
}

TEST(TextBlocksTest, VerticalWritingHasTiersInsteadOfRows) {
  const std::vector<LayoutBox> lines = {Line(0, 0, 90), Line(120, 0, 90), Line(0, 40, 90), Line(120, 40, 40)};
  EXPECT_EQ(Blocks(lines, true), (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(Blocks(lines, false), (Lists{{0, 2}, {1, 3}}));
}

TEST(TextBlocksTest, ALineWithinAnotherOneIsLeftAlone) {
  EXPECT_EQ(Blocks({Line(0, 0, 200), Line(60, 0, 20, 10), Line(220, 0, 100)}), (Lists{{0, 2}, {1}}));
}

TEST(RowAlignmentTest, IsOneOnCommonBaselinesAndNoneHalfALineOff) {
  EXPECT_EQ(RowAlignment(std::vector{Line(0, 0, 50), Line(100, 0, 50)}), 1);
  EXPECT_EQ(RowAlignment(std::vector{Line(0, 0, 50), Line(100, 5, 50)}), 0.5);
  EXPECT_EQ(RowAlignment(std::vector{Line(0, 0, 50), Line(100, 10, 50)}), 0);
  EXPECT_EQ(RowAlignment(std::vector{Line(0, 0, 50), Line(0, 40, 50)}), 0) << "no neighbours";
}

}  // namespace
}  // namespace inkread
