// The mean of a float map over a filled quad, outline included, with the pixels that OpenCV 4.10's fillPoly sets.
#ifndef INKREAD_IMAGE_POLYGON_SCORE_H_
#define INKREAD_IMAGE_POLYGON_SCORE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

// Sets to 1 the pixels of mask [height, width] that lie in the polygon or on its outline; the rest stays as it is.
// The corners may lie outside the mask.
void FillPolygon(std::span<const Point> corners, int width, int height, uint8_t* mask);

// The mean of map [height, width] over the quad, whose corners are truncated to integers relative to its bounding
// box; summed in double. 0 when the quad covers no pixel of the map.
double MeanInQuad(std::span<const float> map, int width, int height, const QuadF& quad);

}  // namespace inkread

#endif  // INKREAD_IMAGE_POLYGON_SCORE_H_
