// Pixels of what picture_resize and picture_warp read: a picture, or a crop within the run's block.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_PICTURE_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_PICTURE_METAL_

#include "backends/metal/kernels/step.metal"
#include "schedule/steps/double_words.h"

// The operands of both kinds, behind the params.
struct PictureOperands {
  uint x;  // reads 0, in words of four bytes
  uint w;  // weights 0
  uint y;  // writes 0
};

struct Picture {
  device const uchar* pixels;
  uint width;
  uint pixel_bytes;
  uint3 at;  // bytes of a pixel
};

inline int3 PixelAt(Picture picture, uint column, uint row) {
  device const uchar* pixel = picture.pixels + (row * picture.width + column) * picture.pixel_bytes;
  return int3(int(pixel[picture.at.x]), int(pixel[picture.at.y]), int(pixel[picture.at.z]));
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_PICTURE_METAL_
