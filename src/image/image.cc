// Checks, copies and rotations of 8-bit images.
#include "image/image.h"

#include <cstdlib>
#include <cstring>

namespace inkread {

Status CheckImage(const ImageView& image) {
  if (image.pixels == nullptr) return InvalidArgument("image: pixels is null");
  if (image.width_px < 1 || image.height_px < 1) {
    return InvalidArgument("image: expected at least 1 x 1 px, got ", image.width_px, " x ", image.height_px);
  }
  if (BytesPerPixel(image.format) == 0) {
    return InvalidArgument("image: format is ", static_cast<int>(image.format),
                           ", which is not a value of PixelFormat");
  }
  const int64_t row_bytes = static_cast<int64_t>(image.width_px) * BytesPerPixel(image.format);
  const int64_t stride = image.stride_bytes;
  if (image.height_px > 1 && stride < row_bytes && stride > -row_bytes) {
    return InvalidArgument("image: a row of ", image.width_px, " px needs a stride of at least ", row_bytes,
                           " bytes, got ", stride);
  }
  return Status();
}

void CopyRows(const ImageView& image, void* out) {
  const size_t row_bytes = RowBytes(image);
  auto* to = static_cast<uint8_t*>(out);
  if (image.stride_bytes == static_cast<ptrdiff_t>(row_bytes)) {
    std::memcpy(to, image.pixels, row_bytes * static_cast<size_t>(image.height_px));
    return;
  }
  for (int y = 0; y < image.height_px; ++y, to += row_bytes) std::memcpy(to, image.row(y), row_bytes);
}

void CopyBgr(const ImageView& source, int x, int y, int width, int height, uint8_t* out, ptrdiff_t out_stride_bytes) {
  WithLayout(source.format, [&](auto layout) {
    using L = decltype(layout);
    for (int r = 0; r < height; ++r) {
      const uint8_t* from = source.row(y + r) + static_cast<ptrdiff_t>(x) * L::bytes;
      uint8_t* to = out + r * out_stride_bytes;
      if constexpr (L::bytes == 3 && L::b == 0) {
        std::memcpy(to, from, static_cast<size_t>(width) * 3);
      } else {
        for (int c = 0; c < width; ++c, from += L::bytes, to += 3) {
          to[0] = from[L::b];
          to[1] = from[L::g];
          to[2] = from[L::r];
        }
      }
    }
  });
}

BgrImage RotatedCounterClockwise(const BgrImage& image) {
  BgrImage out(image.height_px, image.width_px);
  const ptrdiff_t stride = static_cast<ptrdiff_t>(image.width_px) * 3;
  for (int y = 0; y < out.height_px; ++y) {
    const uint8_t* from = image.pixels.data() + (image.width_px - 1 - y) * 3;  // this column, downwards
    uint8_t* to = out.row(y);
    for (int x = 0; x < out.width_px; ++x, from += stride, to += 3) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return out;
}

BgrImage RotatedHalfTurn(const BgrImage& image) {
  BgrImage out(image.width_px, image.height_px);
  const uint8_t* from = image.pixels.data();
  const size_t num_bytes = image.pixels.size();
  for (size_t i = 0; i < num_bytes; i += 3) {
    uint8_t* to = out.pixels.data() + (num_bytes - 3 - i);
    to[0] = from[i];
    to[1] = from[i + 1];
    to[2] = from[i + 2];
  }
  return out;
}

}  // namespace inkread
