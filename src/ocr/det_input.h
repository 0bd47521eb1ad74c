// The detector's input: an image at the size that the side rule gives, normalised.
#ifndef INKREAD_OCR_DET_INPUT_H_
#define INKREAD_OCR_DET_INPUT_H_

#include "image/image.h"
#include "image/image_rule.h"
#include "image/resize.h"

namespace inkread {

// Which side is held to limit_side: kMin enlarges images whose shorter side is below it, kMax shrinks images
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

// One image on its way into the detector.
class DetSource {
 public:
  // source must outlive this object.
  DetSource(const ImageView& source, const DetParams& params);
  DetSource(const DetSource&) = delete;  // view_ may point into canvas_
  DetSource& operator=(const DetSource&) = delete;

  Size size() const { return size_; }
  const ImageView& view() const { return view_; }  // what is resized
  bool is_canvas() const { return !canvas_.pixels.empty(); }
  ImageRule rule() const;  // of view()

 private:
  BgrImage canvas_;  // a tiny source on black; else empty
  ImageView view_;
  Size size_;
};

// The same, made on the host. Rows can be filled by several threads at once.
class DetInput {
 public:
  // source must outlive this object.
  DetInput(const ImageView& source, const DetParams& params);

  Size size() const { return source_.size(); }

  // Writes rows [row_begin, row_end) of out [height, width, 3], channels B, G, R.
  void FillRows(int row_begin, int row_end, float* out) const;

 private:
  DetSource source_;
  ResizePlan plan_;
};

// u / 255 by ImageNet's mean and deviation; the constants meant for R, G, B stand at B, G, R, as the network was
// trained with them.
const Normalisation& ImageNetNormalisation();

}  // namespace inkread

#endif  // INKREAD_OCR_DET_INPUT_H_
