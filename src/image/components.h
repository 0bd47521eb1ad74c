// Finds the outlines of all regions above a threshold in a float map, as convex hulls.
//
// There are two kinds of region, as in border following. Components are 8-connected sets of pixels above the threshold.
// Holes are 4-connected sets of the other pixels that do not reach the edge of the map. The outline of a hole consists
// of the foreground pixels around it, so it is one pixel larger than the hole on each side.
#ifndef INKREAD_IMAGE_COMPONENTS_H_
#define INKREAD_IMAGE_COMPONENTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

struct Outline {
  bool is_hole = false;
  // Input of FindMinAreaRect. The hull of a component begins after its first pixel in raster order. The hull of a hole
  // begins with the foreground pixel to the left of its first pixel or, if that is not a corner of the hull, with the
  // pixel above.
  std::vector<Point> hull;
};

struct Outlines {
  // Sorted by descending raster position of the first pixel (for a hole: of the foreground pixel to its left), so the
  // lowest outline is the first.
  std::vector<Outline> kept;
  size_t num_found = 0;  // includes the outlines beyond the limit, which are not kept
};

// map           [height, width]; a pixel is foreground if its value is above `thresh`; NaN is background
// max_outlines  limit of Outlines::kept
//
// Takes time linear in the number of pixels.
Outlines FindOutlines(std::span<const float> map, int width, int height, float thresh, size_t max_outlines);

}  // namespace inkread

#endif  // INKREAD_IMAGE_COMPONENTS_H_
