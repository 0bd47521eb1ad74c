// The inner loops of resize and warp, one row per call, vectorised for the instruction set of the machine. All
// instruction sets give the same bits. The scalar references are in resize.h and warp.h.
#ifndef INKREAD_IMAGE_ROWS_H_
#define INKREAD_IMAGE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "image/image.h"
#include "image/resize.h"

namespace inkread {

// StretchRow and BlendRows process this many elements at a time. Buffer sizes are rounded up to a multiple of it
// (RoundUp in base/round.h).
inline constexpr size_t kRowStep = 16;

// to[i] = (first[i] * weights[2 * i] + second[i] * weights[2 * i + 1]) >> 4 for i in [0, n), n a multiple of kRowStep.
void StretchRow(const uint8_t* first, const uint8_t* second, const int16_t* weights, size_t n, int16_t* to);

// to[i] = ((a[i] * v >> 16) + (b[i] * w >> 16) + 2) >> 2 for i in [0, n), n a multiple of kRowStep. The results are in
// [0, 255] if a and b come from StretchRow and v and w are the weights of a row.
void BlendRows(const int16_t* a, const int16_t* b, int16_t v, int16_t w, size_t n, uint8_t* to);

// Normalises num_pixels pixels of 3 bytes (B, G, R). Reads and writes nothing past their end.
void NormaliseRow(const uint8_t* bytes, size_t num_pixels, const Normalisation& normalisation, float* to);

// One target pixel of a warp.
struct WarpTap {
  const uint8_t* from;     // the top left of 4 x 4 source pixels
  const int16_t* weights;  // 4 x 4 weights, row by row, with the sum 2^15
};

// Writes n weighted sums of 4 x 4 source pixels, rounded and clamped, as 3 bytes each.
//
// stride_bytes    distance of source rows; 16 bytes are read of each of the four rows of a tap
// has_four_bytes  source pixels have 4 bytes instead of 3; the fourth is ignored
// swapped         writes the three bytes of a pixel in reverse order
// to              [n, 3]; nothing is written past its end
void WarpPixels(const WarpTap* taps, size_t n, ptrdiff_t stride_bytes, bool has_four_bytes, bool swapped, uint8_t* to);

}  // namespace inkread

#endif  // INKREAD_IMAGE_ROWS_H_
