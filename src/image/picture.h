// 8-bit pictures: a view of somebody's pixels in any layout, and an owned BGR picture.
#ifndef INKREAD_IMAGE_PICTURE_H_
#define INKREAD_IMAGE_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status.h"

namespace inkread {

// The order of a pixel's bytes. Alpha is ignored; grey counts as three equal channels.
enum class PixelLayout { kBgr24, kRgb24, kBgra32, kRgba32, kGray8 };

constexpr int BytesPerPixel(PixelLayout layout) {
  return layout == PixelLayout::kGray8 ? 1 : layout == PixelLayout::kBgra32 || layout == PixelLayout::kRgba32 ? 4 : 3;
}

struct PictureView {
  const uint8_t* pixels = nullptr;  // the first byte of the top row
  int width_px = 0;
  int height_px = 0;
  ptrdiff_t stride_bytes = 0;  // from a row to the next one down; negative for pictures stored bottom up
  PixelLayout layout = PixelLayout::kBgr24;

  const uint8_t* row(int y) const { return pixels + y * stride_bytes; }
};

// Errors  kInvalidArgument: no pixels, a side below 1 px, |stride_bytes| below width_px * bytes a pixel.
Status CheckPicture(const PictureView& picture);

// An owned picture, BGR, rows without gaps.
struct BgrPicture {
  int width_px = 0;
  int height_px = 0;
  std::vector<uint8_t> pixels;

  BgrPicture() = default;
  BgrPicture(int width, int height)  // black
      : width_px(width), height_px(height), pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3) {}

  uint8_t* row(int y) { return pixels.data() + static_cast<ptrdiff_t>(y) * width_px * 3; }
  const uint8_t* row(int y) const { return pixels.data() + static_cast<ptrdiff_t>(y) * width_px * 3; }
  PictureView view() const {
    return {pixels.data(), width_px, height_px, static_cast<ptrdiff_t>(width_px) * 3, PixelLayout::kBgr24};
  }
};

// Copies the width x height block whose top left pixel is (x, y) as BGR; the block lies inside the picture. Row r
// goes to out + r * out_stride_bytes.
void CopyBgr(const PictureView& source, int x, int y, int width, int height, uint8_t* out, ptrdiff_t out_stride_bytes);

BgrPicture RotatedCounterClockwise(const BgrPicture& picture);
BgrPicture RotatedHalfTurn(const BgrPicture& picture);

// A layout as constants, for loops that are compiled once a layout: bytes a pixel and where B, G and R stand in it.
template <int kBytes, int kB, int kG, int kR>
struct LayoutOf {
  static constexpr int bytes = kBytes, b = kB, g = kG, r = kR;
};

// Calls body(LayoutOf<...>{}) for the layout.
template <typename Body>
decltype(auto) WithLayout(PixelLayout layout, Body&& body) {
  switch (layout) {
    case PixelLayout::kRgb24:
      return body(LayoutOf<3, 2, 1, 0>{});
    case PixelLayout::kBgra32:
      return body(LayoutOf<4, 0, 1, 2>{});
    case PixelLayout::kRgba32:
      return body(LayoutOf<4, 2, 1, 0>{});
    case PixelLayout::kGray8:
      return body(LayoutOf<1, 0, 0, 0>{});
    case PixelLayout::kBgr24:
      break;
  }
  return body(LayoutOf<3, 0, 1, 2>{});
}

}  // namespace inkread

#endif  // INKREAD_IMAGE_PICTURE_H_
