// Bilinear resize of 8-bit images by the integer arithmetic of OpenCV 4.10 (INTER_LINEAR; no antialiasing).
//
// Along each axis, target i reads sources k and k + 1 around (i + 0.5) * source / target - 0.5 with weights of 11
// bits. Two exceptions: equal sizes copy, and exactly half in both axes takes rounded means of 2 x 2 pixels.
#ifndef INKREAD_IMAGE_RESIZE_H_
#define INKREAD_IMAGE_RESIZE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/image.h"

namespace inkread {

// What a network reads for byte u of a channel, channels in the order B, G, R: ((u * high + u * low) + shift) * gain,
// each operation rounded to float. `low` is 0, or `high` has so few bits that u * high is exact: so it is all one
// whether a multiplication and an addition become one instruction.
struct Normalisation {
  float high[3], low[3], shift[3], gain;
  float operator()(int channel, uint8_t u) const {
    const float v = static_cast<float>(u);
    return ((v * high[channel] + v * low[channel]) + shift[channel]) * gain;
  }
};

// The taps and weights of one pair of sizes; made once, read by any number of threads.
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
    int16_t first_weight, second_weight;  // of 2048
  };
  enum class Kind { kCopy, kHalf, kBilinear };

  int source_width_, source_height_, width_, height_;
  Kind kind_;
  std::vector<Tap> columns_, rows_;
  // Of columns_, three times each, as StretchRow wants them.
  std::vector<int16_t> column_weights_;
};

// The slow twin: the formulas as they are written down, a pixel at a time.
BgrImage ResizeImageSlowly(const ImageView& source, int width, int height);

// Rows [row_begin, row_end) of the resized image, normalised, as floats B, G, R.
//
// source      of the plan's source size
// row_width   >= plan.width(): columns from plan.width() on are set to 0.0
// out         [height, row_width, 3], the whole image: row y goes to out + y * row_width * 3
void ResizeNormalise(const ImageView& source, const ResizePlan& plan, const Normalisation& normalisation, int row_begin,
                     int row_end, int row_width, float* out);

}  // namespace inkread

#endif  // INKREAD_IMAGE_RESIZE_H_
