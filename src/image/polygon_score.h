// The mean of a float map over a filled quad, outline included. The pixels are those that OpenCV 4.10's fillPoly sets.
#ifndef INKREAD_IMAGE_POLYGON_SCORE_H_
#define INKREAD_IMAGE_POLYGON_SCORE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

// Sets the pixels of mask [height, width] that are in the polygon or on its outline to 1 and leaves the others
// unchanged. The corners may be outside the mask.
void FillPolygon(std::span<const Point> corners, int width, int height, uint8_t* mask);

// The mean of map [height, width] over the quad, summed in double. The corners are truncated to integers relative to
// the bounding box of the quad. 0 if the quad covers no pixel of the map.
double MeanInQuad(std::span<const float> map, int width, int height, const QuadF& quad);

}  // namespace inkread

#endif  // INKREAD_IMAGE_POLYGON_SCORE_H_
