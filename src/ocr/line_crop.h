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
  // Laid level by a quarter turn counter-clockwise, as a standing line: its top is on the left afterwards.
  bool is_turned = false;
  bool is_upside_down = false;  // half a turn more

  int quarter_turns() const { return (is_turned ? 1 : 0) + (is_upside_down ? 2 : 0); }  // counter-clockwise, 0 to 3
  // Of the line laid level, px.
  int width() const { return is_turned ? crop.height : crop.width; }
  int height() const { return is_turned ? crop.width : crop.height; }
};

// Angles are in degrees clockwise; a line from left to right has the direction 0.

// How the official pipeline crops a line. The corners of the rectangle are ordered by x, so a column that leans a
// little to the right is read upwards.
//
// box      corners as BoxesFromMap gives them, px of the image
// Returns  nothing if the rectangle around the box is thinner than a pixel
std::optional<LineShape> ShapeOfLine(const Quad& box);

// The same with the line's own direction. A line whose sides differ by half or more is read along the longer one: to
// the right, or downwards if it is steeper than 67.5 degrees. Others are as upright as possible. All of this is seen
// from a page whose lines have the direction `tilt_deg`.
std::optional<LineShape> ShapeOfLine(const Quad& box, double tilt_deg);

LineShape TurnedBy(LineShape line, int quarter_turns);  // counter-clockwise, any sign

// The part of a line from `begin` to `end`, as shares of its length in reading direction.
LineShape PartOf(const LineShape& line, double begin, double end);

// The direction in which the line is read, [-180, 180).
double DirectionOf(const LineShape& line);

// Whether the line runs up or down, or just down, on a page whose lines have the direction `tilt_deg`.
bool IsStanding(const LineShape& line, double tilt_deg);
bool RunsDown(const LineShape& line, double tilt_deg);

// The corners of the box, clockwise, so that the edge from the first to the second is closest to the direction.
Quad BeginningAlong(const Quad& box, double direction_deg);

// Cuts the line out of `source` and lays it level; says nothing yet of the size and the normalisation of the result.
ImageRule CropRuleOf(const ImageView& source, const LineShape& line);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_CROP_H_
