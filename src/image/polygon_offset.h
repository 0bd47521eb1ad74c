// Grows a quad outwards by a distance with round joins, on integer coordinates, as Clipper 6 does.
#ifndef INKREAD_IMAGE_POLYGON_OFFSET_H_
#define INKREAD_IMAGE_POLYGON_OFFSET_H_

#include <vector>

#include "image/geometry.h"

namespace inkread {

// How far to grow a quad: area * ratio / perimeter. 0 for a quad without perimeter.
double UnclipDistance(const QuadF& quad, double ratio);

// The vertices of the grown quad, in an order that keeps their convex hull only: Clipper's last step, a union of the
// outline with itself, does not change the hull and is left out. The corners are truncated to integers first. Empty
// when fewer than three different corners are left, or the distance is not above zero.
std::vector<Point> OffsetQuad(const QuadF& quad, double distance);

}  // namespace inkread

#endif  // INKREAD_IMAGE_POLYGON_OFFSET_H_
