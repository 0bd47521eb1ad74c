// A line laid level as the recogniser sees it: where its points are in the image, and which of its pixels are ink.
#ifndef INKREAD_OCR_LINE_INK_H_
#define INKREAD_OCR_LINE_INK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/geometry.h"
#include "image/image.h"
#include "ocr/line_crop.h"

namespace inkread {

struct PointD {
  double x = 0, y = 0;
};

// The rectangle of a line in its image. `along` goes from its begin to its end, `down` from its top to its bottom; both
// are as long as the line and exactly perpendicular, and the line is read along `along`.
struct LevelLine {
  PointD origin;  // top left corner, px of the image
  PointD along, down;

  // u, v  shares of the line's width and height, [0, 1]
  PointD At(double u, double v) const {
    return {origin.x + along.x * u + down.x * v, origin.y + along.y * u + down.y * v};
  }
};

LevelLine LayLevel(const LineShape& line);

// The line in columns and rows of equal size, each the nearest pixel of the image.
struct LineInk {
  int width = 0, height = 0;
  std::vector<uint8_t> is_ink;  // [height, width], 0 or 1

  uint8_t* row(int y) { return is_ink.data() + static_cast<ptrdiff_t>(y) * width; }
  const uint8_t* row(int y) const { return is_ink.data() + static_cast<ptrdiff_t>(y) * width; }
};

// Ink is what differs from the line's background, the median of its colours, by enough of what the strokes differ by:
// dark on light, light on dark, or another hue. Not ink: ruled lines through the whole of it, what reaches in from its
// neighbours above and below, and everything where there is hardly any contrast. Where there is much, such as on a
// photograph, a part of the background may count as ink too.
LineInk FindInk(const ImageView& image, const LineShape& line);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_INK_H_
