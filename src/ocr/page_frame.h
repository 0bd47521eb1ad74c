// The lines of a page as on a flat one that is not askew: rule 1 of reading_order.h.
#ifndef INKREAD_OCR_PAGE_FRAME_H_
#define INKREAD_OCR_PAGE_FRAME_H_

#include <span>
#include <vector>

#include "image/geometry.h"
#include "ocr/page_turn.h"
#include "ocr/text_blocks.h"

namespace inkread {

// A line in the page's frame.
struct FramedLine {
  LayoutBox box;             // as on a flat page without tilt; text runs to the right, the next line is below
  bool is_sideways = false;  // the line runs in the other direction than the page
};

struct PageFrame {
  bool is_vertical = false;  // text runs downwards on the page held upright, the next line is on the left
  double tilt = 0;           // radians, clockwise, by which the page is askew: that of the axis, or of the rows
  std::vector<FramedLine> lines;
};

// quads  corners in clockwise or anticlockwise sense, px; the first may be any of them
// axis   FindPageAxis of the quads
PageFrame FindPageFrame(std::span<const Quad> quads, const PageAxis& axis);

// Turns a box of the page's frame into one of the frame of its sideways lines, and back.
LayoutBox ToSidewaysFrame(const LayoutBox& box, bool page_is_vertical);
LayoutBox FromSidewaysFrame(const LayoutBox& box, bool page_is_vertical);

}  // namespace inkread

#endif  // INKREAD_OCR_PAGE_FRAME_H_
