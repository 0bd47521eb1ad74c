// The detector's input: a picture at the size that the side rule gives, normalised.
#ifndef INKREAD_OCR_DET_INPUT_H_
#define INKREAD_OCR_DET_INPUT_H_

#include "image/picture.h"
#include "image/resize.h"

namespace inkread {

// Which side is held to limit_side: kMin enlarges pictures whose shorter side is below it, kMax shrinks pictures
// whose longer side is above it.
enum class LimitType { kMin, kMax };

// The detector's settings. The defaults are those of the official pipeline, PaddleX 3.7.2.
struct DetParams {
  LimitType limit_type = LimitType::kMin;
  int limit_side = 64;        // px
  int max_side_limit = 4000;  // px, after the side rule
  float thresh = 0.3f;        // of a text pixel
  double box_thresh = 0.6;    // of the mean over a box
  double unclip_ratio = 1.5;  // how far boxes grow: distance = area * ratio / perimeter
  int max_candidates = 3000;
};

struct Size {
  int height = 0;
  int width = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

// The size of the detector's input for a source of height x width px, both >= 1: multiples of 32, at least 32.
Size DetInputSize(int height, int width, const DetParams& params);

// One picture on its way into the detector. Rows can be filled by several threads at once.
class DetInput {
 public:
  // source must outlive this object.
  DetInput(const ImageView& source, const DetParams& params);
  DetInput(const DetInput&) = delete;  // source_ may point into canvas_
  DetInput& operator=(const DetInput&) = delete;

  Size size() const { return {plan_.height(), plan_.width()}; }

  // Writes rows [row_begin, row_end) of out [height, width, 3], channels B, G, R.
  void FillRows(int row_begin, int row_end, float* out) const;

 private:
  BgrPicture canvas_;  // a tiny source on black; else empty
  ImageView source_;
  ResizePlan plan_;
};

// u / 255 by ImageNet's mean and deviation; the constants meant for R, G, B stand at B, G, R, as the network was
// trained with them.
const Normalisation& ImageNetNormalisation();

}  // namespace inkread

#endif  // INKREAD_OCR_DET_INPUT_H_
