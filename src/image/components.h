// The outlines of everything above a threshold in a float map, as convex hulls.
//
// Two kinds, as border following finds them: the 8-connected components of pixels above the threshold, and the holes,
// which are the 4-connected components of the other pixels that do not reach the map's edge. A hole's outline is the
// foreground pixels beside it, so it is one pixel larger on each side than the hole.
#ifndef INKREAD_IMAGE_COMPONENTS_H_
#define INKREAD_IMAGE_COMPONENTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "image/geometry.h"

namespace inkread {

struct Outline {
  bool is_hole = false;
  // As FindMinAreaRect wants it. A component's begins after its first pixel in raster order. A hole's begins with the
  // foreground pixel on the left of its first pixel, or, where that is no corner of the hull, with the one above.
  std::vector<Point> hull;
};

struct Outlines {
  // By descending raster position of the first pixel (for a hole: of the foreground pixel to its left), so the
  // lowest come first.
  std::vector<Outline> kept;
  size_t num_found = 0;  // kept and, beyond the limit, not kept
};

// map [height, width]; a pixel is foreground when it is above thresh, never when it is NaN. Linear in pixels.
Outlines FindOutlines(std::span<const float> map, int width, int height, float thresh, size_t max_outlines);

}  // namespace inkread

#endif  // INKREAD_IMAGE_COMPONENTS_H_
