// One line of text, cut out of its image and laid level.
#ifndef INKREAD_OCR_LINE_CROP_H_
#define INKREAD_OCR_LINE_CROP_H_

#include <optional>

#include "image/geometry.h"
#include "image/image.h"
#include "image/image_rule.h"

namespace inkread {

// Where a line is in its image and how it is laid level.
struct LineShape {
  QuadF corners;                        // of the rectangle cut out, px of the source
  int crop_width = 0, crop_height = 0;  // of that rectangle, px, before any turn
  bool is_turned = false;  // a standing line, laid down by a quarter turn counter-clockwise: its top is now on the left
  bool is_upside_down = false;  // found by a classifier later: half a turn more

  int width() const { return is_turned ? crop_height : crop_width; }  // of the line laid level
  int height() const { return is_turned ? crop_width : crop_height; }
};

struct LineCrop : LineShape {
  BgrImage image;  // the line laid level; empty where a device cuts it out
};

// box  corners as BoxesFromMap gives them
// Nothing when the rectangle around the box is thinner than a pixel.
std::optional<LineShape> ShapeOfLine(const Quad& box);

// source  at its own resolution
BgrImage CutOut(const ImageView& source, const LineShape& line);

// Both in a row.
std::optional<LineCrop> CropLine(const ImageView& source, const Quad& box);

// The line, not resized or normalised yet, as a device is told to make it of `source`.
ImageRule CropRuleOf(const ImageView& source, const LineShape& line);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_CROP_H_
