// Lines of text put together to blocks, each of which is read as a whole: rules 2 to 5 of reading_order.h.
#ifndef INKREAD_OCR_TEXT_BLOCKS_H_
#define INKREAD_OCR_TEXT_BLOCKS_H_

#include <span>
#include <vector>

namespace inkread {

// A rectangle in a frame in which text runs to the right and the next line is below, px.
struct LayoutBox {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double mid_x() const { return (left + right) / 2; }
  double mid_y() const { return (top + bottom) / 2; }
  void Cover(const LayoutBox& other);
};

struct TextBlock {
  std::vector<int> lines;  // indices, in the order in which they are read
  LayoutBox box;           // around all lines
  double line_height = 0;  // median
};

// lines     not empty rectangles
// has_rows  false for vertical writing: what is beside a line in this frame is in another tier of the page
// Returns   blocks that have each line once
std::vector<TextBlock> MakeTextBlocks(std::span<const LayoutBox> lines, bool has_rows);

// For each line the lines that are next to it on its left: parts of them are seen from it.
std::vector<std::vector<int>> NeighboursOnTheLeft(std::span<const LayoutBox> lines);

// How well lines are aligned in rows: the mean, over the lines that have neighbours to the left or right, of 1 if the
// best of them is on exactly the same baseline, falling to 0 if it is half a line higher or lower. 0 if there are none.
double RowAlignment(std::span<const LayoutBox> lines);

}  // namespace inkread

#endif  // INKREAD_OCR_TEXT_BLOCKS_H_
