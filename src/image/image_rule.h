// Describes how a network's input, or a part of it, is computed from an image. Plain data, used by host and devices.
#ifndef INKREAD_IMAGE_IMAGE_RULE_H_
#define INKREAD_IMAGE_IMAGE_RULE_H_

#include <optional>

#include "image/image.h"
#include "image/resize.h"
#include "image/warp.h"

namespace inkread {

// An upright rectangle cropped from an image by a perspective warp (image/warp.h).
struct CropRule {
  Homography target_to_source{};
  int width = 0, height = 0;  // px, >= 1
};

// An image or a crop of it, which is then turned, resized and normalised.
struct ImageRule {
  int source_width = 0, source_height = 0;  // px, >= 1
  PixelFormat format = PixelFormat::kBgr24;
  std::optional<CropRule> crop;
  int quarter_turns = 0;          // counter-clockwise, 0 to 3, after the crop
  int height = 0, width = 0;      // size of the result in px, >= 1
  int row_width = 0;              // px, >= width; columns from `width` on are 0.0
  bool is_red_first = false;      // channels R, G, B instead of B, G, R
  Normalisation normalisation{};  // `low` must be equal for all channels
};

// Applies a rule without crop and turn on the host.
//
// image  the source; rule.source_width, source_height and format are ignored
// out    f32 [rule.height, rule.row_width, 3]
void ResizeNormalise(const ImageView& image, const ImageRule& rule, float* out);

}  // namespace inkread

#endif  // INKREAD_IMAGE_IMAGE_RULE_H_
