// The detector's input: an image at the size that the side rule gives, normalised.
#ifndef INKREAD_OCR_DET_INPUT_H_
#define INKREAD_OCR_DET_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"

namespace inkread {

// kMin enlarges images whose shorter side is below limit_side; kMax shrinks images whose longer side is above it.
enum class LimitType { kMin, kMax };

// The detector's settings. The defaults are those of the official pipeline, PaddleX 3.7.2.
struct DetParams {
  LimitType limit_type = LimitType::kMin;
  int limit_side = 64;        // px
  int max_side_limit = 4000;  // px, after the side rule
  float thresh = 0.3f;        // smallest probability of a text pixel
  double box_thresh = 0.6;    // smallest mean probability over a box
  double unclip_ratio = 1.5;  // boxes grow by a distance of area * ratio / perimeter
  int max_candidates = 3000;
  bool fits_page = false;  // looks in the sizes of ocr/detector_size.h instead of DetInputSize's
};

constexpr int kDetMultiple = 32;  // sides of the detector's input: it halves its input five times

struct Size {
  int height = 0;
  int width = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

// The size of the detector's input for a source of height x width px, both >= 1: multiples of 32, at least 32.
Size DetInputSize(int height, int width, const DetParams& params);

// The detector reads a tiny image, of height + width below 64 px, on a black canvas of at least 32 x 32 px.
bool NeedsCanvas(const ImageView& source);
BgrImage OnCanvas(const ImageView& source);  // at the top left

// How the detector's input [size.height, size.width, 3], channels B, G, R, is made of `source`.
ImageRule DetInputRule(const ImageView& source, const Size& size);

// u / 255 by ImageNet's mean and deviation. The constants meant for R, G, B are applied to B, G, R, as in training.
const Normalisation& ImageNetNormalisation();

}  // namespace inkread

#endif  // INKREAD_OCR_DET_INPUT_H_
