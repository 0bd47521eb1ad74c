// Checks, copies and turns of 8-bit pictures.
#include "image/picture.h"

#include <cstdlib>
#include <cstring>

namespace inkread {

Status CheckPicture(const ImageView& picture) {
  if (picture.pixels == nullptr) return InvalidArgument("picture: pixels is null");
  if (picture.width_px < 1 || picture.height_px < 1) {
    return InvalidArgument("picture: expected at least 1 x 1 px, got ", picture.width_px, " x ", picture.height_px);
  }
  const int64_t row_bytes = static_cast<int64_t>(picture.width_px) * BytesPerPixel(picture.format);
  const int64_t stride = picture.stride_bytes;
  if (picture.height_px > 1 && stride < row_bytes && stride > -row_bytes) {
    return InvalidArgument("picture: a row of ", picture.width_px, " px needs a stride of at least ", row_bytes,
                           " bytes, got ", stride);
  }
  return Status();
}

void CopyRows(const ImageView& picture, void* out) {
  const size_t row_bytes = RowBytes(picture);
  auto* to = static_cast<uint8_t*>(out);
  if (picture.stride_bytes == static_cast<ptrdiff_t>(row_bytes)) {
    std::memcpy(to, picture.pixels, row_bytes * static_cast<size_t>(picture.height_px));
    return;
  }
  for (int y = 0; y < picture.height_px; ++y, to += row_bytes) std::memcpy(to, picture.row(y), row_bytes);
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

BgrPicture RotatedCounterClockwise(const BgrPicture& picture) {
  BgrPicture out(picture.height_px, picture.width_px);
  const ptrdiff_t stride = static_cast<ptrdiff_t>(picture.width_px) * 3;
  for (int y = 0; y < out.height_px; ++y) {
    const uint8_t* from = picture.pixels.data() + (picture.width_px - 1 - y) * 3;  // this column, downwards
    uint8_t* to = out.row(y);
    for (int x = 0; x < out.width_px; ++x, from += stride, to += 3) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return out;
}

BgrPicture RotatedHalfTurn(const BgrPicture& picture) {
  BgrPicture out(picture.width_px, picture.height_px);
  const uint8_t* from = picture.pixels.data();
  const size_t num_bytes = picture.pixels.size();
  for (size_t i = 0; i < num_bytes; i += 3) {
    uint8_t* to = out.pixels.data() + (num_bytes - 3 - i);
    to[0] = from[i];
    to[1] = from[i + 1];
    to[2] = from[i + 2];
  }
  return out;
}

}  // namespace inkread
