// How a network's input, or a part of it, is made of an image: plain data, the same for whoever makes it.
#ifndef INKREAD_IMAGE_IMAGE_RULE_H_
#define INKREAD_IMAGE_IMAGE_RULE_H_

#include <optional>

#include "image/image.h"
#include "image/resize.h"
#include "image/warp.h"

namespace inkread {

// An upright rectangle cut out of an image (image/warp.h).
struct CropRule {
  Homography target_to_source{};
  int width = 0, height = 0;  // px, >= 1
};

// An image, or a crop of it, turned, resized and normalised.
struct ImageRule {
  int source_width = 0, source_height = 0;  // px, >= 1
  PixelFormat format = PixelFormat::kBgr24;
  std::optional<CropRule> crop;
  int quarter_turns = 0;          // counter-clockwise, 0 to 3, after the crop
  int height = 0, width = 0;      // px of the result, >= 1
  int row_width = 0;              // >= width; the rest is 0.0
  bool is_red_first = false;      // channels R, G, B instead of B, G, R
  Normalisation normalisation{};  // with one `low` for all channels
};

// What the rule says, on the host, for one without a crop or a turn.
//
// image  what the rule says of its source is not looked at
// out      [rule.height, rule.row_width, 3]
void ResizeNormalise(const ImageView& image, const ImageRule& rule, float* out);

}  // namespace inkread

#endif  // INKREAD_IMAGE_IMAGE_RULE_H_
