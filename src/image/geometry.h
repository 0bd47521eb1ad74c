// Points and quads in px. y grows downwards; pixel centres have integer coordinates.
#ifndef INKREAD_IMAGE_GEOMETRY_H_
#define INKREAD_IMAGE_GEOMETRY_H_

#include <array>
#include <compare>

#include "inkread/image.h"

namespace inkread {

struct PointF {
  float x = 0;
  float y = 0;
  friend auto operator<=>(const PointF&, const PointF&) = default;
};

// Corners in the order top left, top right, bottom right, bottom left.
using Quad = std::array<Point, 4>;
using QuadF = std::array<PointF, 4>;

}  // namespace inkread

#endif  // INKREAD_IMAGE_GEOMETRY_H_
