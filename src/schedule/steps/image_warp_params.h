// image_warp: a quad cut out of an 8-bit image as an upright rectangle, bicubic, borders replicated. No epilogue.
//
//   reads   0 x  [1, ih, iw, pixel_bytes]  U8, dense; the image
//   weights 0 w  [32, 32, 16]              16-bit integers, two in a word, the first one low: CubicWarpWeights()
//   writes  0 y  [1, oh, ow, 4]            U8, dense, aligned to 4 bytes; a pixel is one word: B (lowest), G, R and 0
// Maths     to the bit: image/warp.h is the same arithmetic on the CPU.
//           The pixel (i, j) of y, column and row, lies in x at (X, Y) in 1/32 px, by doubles, each operation rounded:
//             i0 = i / block * block, where block = min(1024 / min(16, oh), ow), and d = i - i0
//             q = 32 / ((m[6] * i0 + m[7] * j + m[8]) + m[6] * d), or 0 where that sum is 0
//             X = ((m[0] * i0 + m[1] * j + m[2]) + m[0] * d) * q
//             Y = ((m[3] * i0 + m[4] * j + m[5]) + m[3] * d) * q
//           Sums run from the left. X and Y are rounded to the nearest integer, the even one of two, and held within 32
//           bits. Channel c of the pixel is the sum over r and s in 0..3 of w[Y & 31][X & 31][r * 4 + s] times byte
//           at[c] of the pixel of x in column (X >> 5) - 1 + s and row (Y >> 5) - 1 + r, each held within the image;
//           plus 2^14, >> 15, held in 0..255
// Source    OpenCV 4.10 warpPerspective, INTER_CUBIC, BORDER_REPLICATE
#ifndef INKREAD_SCHEDULE_STEPS_IMAGE_WARP_PARAMS_H_
#define INKREAD_SCHEDULE_STEPS_IMAGE_WARP_PARAMS_H_

struct ImageWarpParams {
  uint ih;
  uint iw;
  uint pixel_bytes;  // 1, 3 or 4
  uint at[3];        // bytes of a pixel
  uint oh;
  uint ow;
  uint m[18];  // 3 x 3 doubles (double_words.h), row by row: low word, high word
};

#endif  // INKREAD_SCHEDULE_STEPS_IMAGE_WARP_PARAMS_H_
