// An image in the caller's memory: how pixels are handed to inkread. The pixels are neither copied nor kept.
#ifndef INKREAD_IMAGE_H_
#define INKREAD_IMAGE_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace inkread {

// The order of the bytes of one pixel. Reading text ignores alpha and takes grey as three equal channels.
enum class PixelFormat { kBgr24, kRgb24, kBgra32, kRgba32, kGray8 };

// 0 for a value that is no PixelFormat.
constexpr int BytesPerPixel(PixelFormat format) {
  switch (format) {
    case PixelFormat::kBgr24:
    case PixelFormat::kRgb24:
      return 3;
    case PixelFormat::kBgra32:
    case PixelFormat::kRgba32:
      return 4;
    case PixelFormat::kGray8:
      return 1;
  }
  return 0;
}

// `pixels` is the first byte of the top row, and row y begins at pixels + y * stride_bytes. A negative stride reads an
// image that is stored bottom row first. A stride of type size_t, as cv::Mat::step is, is cast to ptrdiff_t;
// examples/read_buffer.cc shows it.
struct ImageView {
  const uint8_t* pixels = nullptr;
  int width_px = 0;
  int height_px = 0;
  ptrdiff_t stride_bytes = 0;
  PixelFormat format = PixelFormat::kBgr24;

  const uint8_t* row(int y) const { return pixels + y * stride_bytes; }
};

// A corner or the position of a pixel, in px; y grows downwards. A corner may equal the image's width or height.
struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// The upright rectangle around a quad, in px; its sides are where corners lie.
struct Bounds {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  constexpr int width() const { return right - left; }
  constexpr int height() const { return bottom - top; }
};

constexpr Bounds BoundsOf(const std::array<Point, 4>& quad) {
  Bounds bounds{quad[0].x, quad[0].y, quad[0].x, quad[0].y};
  for (const Point& p : quad) {
    bounds = {std::min(bounds.left, p.x), std::min(bounds.top, p.y), std::max(bounds.right, p.x),
              std::max(bounds.bottom, p.y)};
  }
  return bounds;
}

// Columns [x, x + width) and rows [y, y + height) of an image, px.
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  friend bool operator==(const Rect&, const Rect&) = default;
};

}  // namespace inkread

#endif  // INKREAD_IMAGE_H_
