// One line of text, cut out of its picture and laid level.
#ifndef INKREAD_OCR_LINE_CROP_H_
#define INKREAD_OCR_LINE_CROP_H_

#include <optional>

#include "image/geometry.h"
#include "image/picture.h"

namespace inkread {

struct LineCrop {
  BgrPicture picture;
  QuadF corners;           // of the rectangle cut out, px of the source; before the turn
  bool is_turned = false;  // a standing line, laid down by a quarter turn counter-clockwise: its top is now on the left
};

// source  at its own resolution
// box     corners as BoxesFromMap gives them
// Nothing when the rectangle around the box is thinner than a pixel.
std::optional<LineCrop> CropLine(const ImageView& source, const Quad& box);

}  // namespace inkread

#endif  // INKREAD_OCR_LINE_CROP_H_
