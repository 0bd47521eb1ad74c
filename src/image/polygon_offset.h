// Grows a quad outwards with round joins, on integer coordinates, like Clipper 6.
#ifndef INKREAD_IMAGE_POLYGON_OFFSET_H_
#define INKREAD_IMAGE_POLYGON_OFFSET_H_

#include <vector>

#include "image/geometry.h"

namespace inkread {

// The distance in px by which a quad grows: area * ratio / perimeter. 0 if the perimeter is 0.
double UnclipDistance(const QuadF& quad, double ratio);

// The vertices of the quad grown by `distance` px. The corners are truncated to integers first.
//
// Only the convex hull of the result is that of Clipper: its last step, a union of the outline with itself, does not
// change the hull and is left out. The result is empty if fewer than three different corners remain or the distance is
// not positive.
std::vector<Point> OffsetQuad(const QuadF& quad, double distance);

}  // namespace inkread

#endif  // INKREAD_IMAGE_POLYGON_OFFSET_H_
