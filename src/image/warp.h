// Cuts a quad out of an image as an upright rectangle: perspective, bicubic (a = -0.75), borders replicated, in the
// fixed point arithmetic of OpenCV 4.10's warpPerspective.
#ifndef INKREAD_IMAGE_WARP_H_
#define INKREAD_IMAGE_WARP_H_

#include <array>
#include <cstdint>
#include <span>

#include "image/geometry.h"
#include "image/image.h"

namespace inkread {

// Where the pixel (x, y) of the upright target lies in the source, as a 3 x 3 matrix, row by row.
using Homography = std::array<double, 9>;

// The map whose inverse takes the quad's corners to (0, 0), (width, 0), (width, height), (0, height). All zero when
// the corners admit none.
Homography TargetToSource(const QuadF& quad, int width, int height);

// The weights of the 4 x 4 neighbours, [32 fractions of y][32 of x][4 rows][4 columns], each 16 summing to 2^15.
std::span<const int16_t> CubicWarpWeights();

// Rows [row_begin, row_end) of the width x height target as BGR: row y goes to out + y * width * 3.
void WarpRows(const ImageView& source, const Homography& target_to_source, int width, int height, int row_begin,
              int row_end, uint8_t* out);

// The whole target. A quad that is an upright block of whole pixels is copied, which gives the same bytes.
BgrImage WarpQuad(const ImageView& source, const QuadF& quad, int width, int height);

// The slow twins: each pixel by the formulas.
BgrImage WarpSlowly(const ImageView& source, const Homography& target_to_source, int width, int height);
BgrImage WarpQuadSlowly(const ImageView& source, const QuadF& quad, int width, int height);

}  // namespace inkread

#endif  // INKREAD_IMAGE_WARP_H_
