// The inner loops of resizing and warping, over a row at a time, in vectors of whichever instruction set the machine
// has. All sets give the same bits; the slow twins are in resize.h and warp.h.
#ifndef INKREAD_IMAGE_ROWS_H_
#define INKREAD_IMAGE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "image/image.h"
#include "image/resize.h"

namespace inkread {

// Rows are made this many elements at a time: buffers are that much longer, rounded up (RoundUp, base/round.h).
inline constexpr size_t kRowStep = 16;

// to[i] = (first[i] * weights[2 * i] + second[i] * weights[2 * i + 1]) >> 4 for i in [0, n), n a multiple of kRowStep.
void StretchRow(const uint8_t* first, const uint8_t* second, const int16_t* weights, size_t n, int16_t* to);

// to[i] = ((a[i] * v >> 16) + (b[i] * w >> 16) + 2) >> 2 for i in [0, n), n a multiple of kRowStep. The sums lie in
// [0, 255] for a, b made by StretchRow and weights of a row.
void BlendRows(const int16_t* a, const int16_t* b, int16_t v, int16_t w, size_t n, uint8_t* to);

// num_pixels pixels of B, G, R, no more of either read or written.
void NormaliseRow(const uint8_t* bytes, size_t num_pixels, const Normalisation& normalisation, float* to);

// weights[i] are 4 x 4 weights, row by row, that sum to 2^15; from[i] is the upper left of the pixels that they belong
// to, in rows of stride_bytes of pixels of 3 bytes, or 4 with has_four_bytes. 16 bytes are read of each of the four
// rows. Writes the n weighted sums, rounded and clamped, and no byte more: of each pixel its first three bytes, in
// reverse order with `swapped`.
struct WarpTap {
  const uint8_t* from;
  const int16_t* weights;
};
void WarpPixels(const WarpTap* taps, size_t n, ptrdiff_t stride_bytes, bool has_four_bytes, bool swapped, uint8_t* to);

}  // namespace inkread

#endif  // INKREAD_IMAGE_ROWS_H_
