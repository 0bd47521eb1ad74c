// How a network's input, or a part of it, is made of an image: plain data, the same for a host and for a device.
#ifndef INKREAD_IMAGE_IMAGE_RULE_H_
#define INKREAD_IMAGE_IMAGE_RULE_H_

#include <compare>
#include <optional>

#include "image/geometry.h"
#include "image/image.h"
#include "image/resize.h"

namespace inkread {

// A quad of an image, cut out as an upright rectangle (image/warp.h).
struct CropRule {
  QuadF corners{};            // px of the image
  int width = 0, height = 0;  // px of the rectangle, >= 1
  friend auto operator<=>(const CropRule&, const CropRule&) = default;
};

// An image or a crop of it, which is then turned, resized and normalised.
struct ImageRule {
  int source_width = 0, source_height = 0;  // px, >= 1
  PixelFormat format = PixelFormat::kBgr24;
  std::optional<CropRule> crop;
  int quarter_turns = 0;          // counter-clockwise, 0 to 3, after the crop
  int height = 0, width = 0;      // px of the result, >= 1
  int row_width = 0;              // px, >= width; columns from `width` on are 0.0
  bool is_red_first = false;      // channels R, G, B instead of B, G, R
  Normalisation normalisation{};  // `low` must be equal for all channels
};

// On the host, a rule is followed in two steps: CutOut, for a rule with a crop or a turn, then InputRows.

// The rule's crop of `image`, or a copy of `image` for a rule without one, turned; not resized.
BgrImage CutOut(const ImageView& image, const ImageRule& rule);

BgrImage Turned(BgrImage image, int quarter_turns);  // counter-clockwise, 0 to 3

// Resizes and normalises. Several threads may fill rows of one result at once.
class InputRows {
 public:
  // cut_out  what CutOut gives, or the image itself for a rule without crop and turn; must outlive this object
  InputRows(const ImageView& cut_out, const ImageRule& rule);
  // Writes rows [row_begin, row_end) of out [rule.height, rule.row_width, 3].
  void Fill(int row_begin, int row_end, float* out) const;
  void FillAll(float* out) const { Fill(0, plan_.height(), out); }

 private:
  ImageView cut_out_;
  ResizePlan plan_;
  Normalisation normalisation_;
  int row_width_;
};

}  // namespace inkread

#endif  // INKREAD_IMAGE_IMAGE_RULE_H_
