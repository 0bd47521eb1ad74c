// Pixels of what image_resize and image_warp read: an image, or a crop within the run's block.
#ifndef INKREAD_BACKENDS_METAL_KERNELS_IMAGE_METAL_
#define INKREAD_BACKENDS_METAL_KERNELS_IMAGE_METAL_

#include "backends/metal/kernels/step.metal"
#include "schedule/steps/double_words.h"

// The operands of both kinds, behind the params.
struct ImageOperands {
  uint x;  // reads 0, in words of four bytes
  uint w;  // weights 0
  uint y;  // writes 0
};

struct Image {
  device const uchar* pixels;
  uint width;
  uint pixel_bytes;
  uint3 at;  // bytes of a pixel
};

inline int3 PixelAt(Image image, uint column, uint row) {
  device const uchar* pixel = image.pixels + (row * image.width + column) * image.pixel_bytes;
  return int3(int(pixel[image.at.x]), int(pixel[image.at.y]), int(pixel[image.at.z]));
}

#endif  // INKREAD_BACKENDS_METAL_KERNELS_IMAGE_METAL_
