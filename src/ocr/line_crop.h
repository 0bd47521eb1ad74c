// Where a line of text is in its image, and the rule that cuts it out and lays it level.
#ifndef INKREAD_OCR_LINE_CROP_H_
#define INKREAD_OCR_LINE_CROP_H_

#include <optional>

#include "image/geometry.h"
#include "image/image.h"
#include "image/image_rule.h"

namespace inkread {

struct LineShape {
  CropRule crop;
  // A standing line, laid level by a quarter turn counter-clockwise: its top is on the left afterwards.
  bool is_turned = false;
  bool is_upside_down = false;  // half a turn more, found by the classifier

  // Of the line laid level, px.
  int width() const { return is_turned ? crop.height : crop.width; }
  int height() const { return is_turned ? crop.width : crop.height; }

  // Counter-clockwise, that lay the crop level: 0 to 3.
  int quarter_turns() const { return (is_turned ? 1 : 0) + (is_upside_down ? 2 : 0); }
};

// box      corners as BoxesFromMap gives them, px of the image
// Returns  nothing if the rectangle around the box is thinner than a pixel
std::optional<LineShape> ShapeOfLine(const Quad& box);

// Cuts the line out of `source` and lays it level; says nothing yet of the size and the normalisation of the result.
ImageRule CropRuleOf(const ImageView& source, const LineShape& line);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_CROP_H_
