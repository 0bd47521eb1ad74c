// Boxes of text lines from the detector's probability map.
#ifndef INKREAD_OCR_DET_BOXES_H_
#define INKREAD_OCR_DET_BOXES_H_

#include <span>
#include <vector>

#include "image/geometry.h"
#include "ocr/det_input.h"

namespace inkread {

struct DetBox {
  Quad quad;         // px of the source image; a coordinate may equal its width or height
  double score = 0;  // mean probability over the box before it is grown
};

// What a map says besides its boxes.
struct MapReport {
  bool candidates_cut = false;  // it had more outlines than params.max_candidates; only the lowest were used
  // A region that scores as a line, box or not, is too thin for the detector to be sure of it, or of its neighbours.
  bool has_small_text = false;
};

// map        [map_height, map_width], probabilities in [0, 1]
// source     the image's own size, without the canvas of tiny images
// Returns    boxes from the bottom of the map upwards; reading_order.h puts them in order
std::vector<DetBox> BoxesFromMap(std::span<const float> map, int map_height, int map_width, int source_height,
                                 int source_width, const DetParams& params, MapReport* report);

}  // namespace inkread

#endif  // INKREAD_OCR_DET_BOXES_H_
