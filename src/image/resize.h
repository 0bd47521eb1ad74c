// Bilinear resize of 8-bit images with the integer arithmetic of OpenCV 4.10 (INTER_LINEAR; no antialiasing).
//
// Along each axis, target pixel i reads the source pixels k and k + 1 around (i + 0.5) * source / target - 0.5, with
// weights of 11 bits. There are two exceptions. Equal sizes copy the pixels. Exactly half the size in both axes takes
// rounded means of 2 x 2 pixels.
#ifndef INKREAD_IMAGE_RESIZE_H_
#define INKREAD_IMAGE_RESIZE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/image.h"

namespace inkread {

// Maps the byte u of a channel to the value that a network reads: ((u * high + u * low) + shift) * gain, each operation
// rounded to float. Channels are in the order B, G, R. `low` is 0, or `high` has so few bits that u * high is exact.
// Therefore a fused multiply-add gives the same bits.
struct Normalisation {
  float high[3], low[3], shift[3], gain;
  float operator()(int channel, uint8_t u) const {
    const float v = static_cast<float>(u);
    return ((v * high[channel] + v * low[channel]) + shift[channel]) * gain;
  }
};

// The taps and weights for one pair of sizes. Immutable, so several threads may read it.
class ResizePlan {
 public:
  ResizePlan(int source_width, int source_height, int width, int height);  // all >= 1

  int source_width() const { return source_width_; }
  int source_height() const { return source_height_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  friend class RowResizer;
  friend BgrImage ResizeImageSlowly(const ImageView& source, int width, int height);

  struct Tap {
    int first, second;                    // source indices
    int16_t first_weight, second_weight;  // in 1/2048
  };
  enum class Kind { kCopy, kHalf, kBilinear };

  int source_width_, source_height_, width_, height_;
  Kind kind_;
  std::vector<Tap> columns_, rows_;
  // The weights of columns_, each pair repeated for the three channels, as StretchRow reads them.
  std::vector<int16_t> column_weights_;
};

// Scalar reference: evaluates the formulas pixel by pixel. Used by tests and by the reference backend.
BgrImage ResizeImageSlowly(const ImageView& source, int width, int height);

// Resizes and normalises the rows [row_begin, row_end) of the target; channels in the order B, G, R.
//
// source     has the source size of the plan
// row_width  px, >= plan.width(); columns from plan.width() on are set to 0.0
// out        f32 [plan.height(), row_width, 3], the whole image: row y is written to out + y * row_width * 3
void ResizeNormalise(const ImageView& source, const ResizePlan& plan, const Normalisation& normalisation, int row_begin,
                     int row_end, int row_width, float* out);

}  // namespace inkread

#endif  // INKREAD_IMAGE_RESIZE_H_
