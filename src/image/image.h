// 8-bit images: helpers for views of any layout, and an owned BGR image.
#ifndef INKREAD_IMAGE_IMAGE_H_
#define INKREAD_IMAGE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status.h"
#include "inkread/image.h"

namespace inkread {

// Checks a view that a caller passed in.
//
// Errors  kInvalidArgument: no pixels, a side below 1 px, |stride_bytes| below width_px * bytes per pixel
Status CheckImage(const ImageView& image);

// An owned BGR image without gaps between rows.
struct BgrImage {
  int width_px = 0;
  int height_px = 0;
  std::vector<uint8_t> pixels;

  BgrImage() = default;
  BgrImage(int width, int height)  // black
      : width_px(width), height_px(height), pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3) {}

  uint8_t* row(int y) { return pixels.data() + static_cast<ptrdiff_t>(y) * width_px * 3; }
  const uint8_t* row(int y) const { return pixels.data() + static_cast<ptrdiff_t>(y) * width_px * 3; }
  ImageView view() const {
    return {pixels.data(), width_px, height_px, static_cast<ptrdiff_t>(width_px) * 3, PixelFormat::kBgr24};
  }
};

// Bytes of the pixels of a row, without padding.
inline size_t RowBytes(const ImageView& image) {
  return static_cast<size_t>(image.width_px) * BytesPerPixel(image.format);
}
// Copies all rows to `out`, without gaps between them; the pixel format stays.
void CopyRows(const ImageView& image, void* out);

// Copies the width x height block whose top left pixel is (x, y), converted to BGR. The block must be inside the image.
// Row r is written to out + r * out_stride_bytes.
void CopyBgr(const ImageView& source, int x, int y, int width, int height, uint8_t* out, ptrdiff_t out_stride_bytes);

BgrImage RotatedCounterClockwise(const BgrImage& image);
BgrImage RotatedHalfTurn(const BgrImage& image);

// A layout as compile-time constants: bytes per pixel and the positions of B, G and R.
template <int kBytes, int kB, int kG, int kR>
struct LayoutOf {
  static constexpr int bytes = kBytes, b = kB, g = kG, r = kR;
};

// Calls body(LayoutOf<...>{}) for the format.
template <typename Body>
decltype(auto) WithLayout(PixelFormat format, Body&& body) {
  switch (format) {
    case PixelFormat::kRgb24:
      return body(LayoutOf<3, 2, 1, 0>{});
    case PixelFormat::kBgra32:
      return body(LayoutOf<4, 0, 1, 2>{});
    case PixelFormat::kRgba32:
      return body(LayoutOf<4, 2, 1, 0>{});
    case PixelFormat::kGray8:
      return body(LayoutOf<1, 0, 0, 0>{});
    case PixelFormat::kBgr24:
      break;
  }
  return body(LayoutOf<3, 0, 1, 2>{});
}

}  // namespace inkread

#endif  // INKREAD_IMAGE_IMAGE_H_
