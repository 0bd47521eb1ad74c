// Warps a quad of an image to an upright rectangle: perspective, bicubic (a = -0.75), replicated borders, with the
// fixed point arithmetic of OpenCV 4.10's warpPerspective.
#ifndef INKREAD_IMAGE_WARP_H_
#define INKREAD_IMAGE_WARP_H_

#include <array>
#include <cstdint>
#include <span>

#include "image/geometry.h"
#include "image/image.h"

namespace inkread {

// A 3 x 3 matrix, row by row, that maps pixels (x, y) of the target to positions in the source, in px.
using Homography = std::array<double, 9>;

// The map from the target to the quad: it takes (0, 0), (width, 0), (width, height) and (0, height) to the corners of
// the quad. All zero if the corners do not allow such a map.
Homography TargetToSource(const QuadF& quad, int width, int height);

// The bicubic weights, [32 fractions of y][32 fractions of x][4 rows][4 columns]; the sum of each 4 x 4 is 2^15.
std::span<const int16_t> CubicWarpWeights();

// Computes the rows [row_begin, row_end) of the width x height target as BGR; row y is written to out + y * width * 3.
void WarpRows(const ImageView& source, const Homography& target_to_source, int width, int height, int row_begin,
              int row_end, uint8_t* out);

// The whole target. If the quad is an upright block of whole pixels it is copied, which gives the same bytes.
BgrImage WarpQuad(const ImageView& source, const QuadF& quad, int width, int height);

// Scalar references: evaluate the formulas pixel by pixel. Used by tests and by the reference backend.
BgrImage WarpSlowly(const ImageView& source, const Homography& target_to_source, int width, int height);
BgrImage WarpQuadSlowly(const ImageView& source, const QuadF& quad, int width, int height);

}  // namespace inkread

#endif  // INKREAD_IMAGE_WARP_H_
