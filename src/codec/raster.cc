// The last steps after every reader: blends alpha onto a background, then applies the orientation.
#include <algorithm>
#include <array>
#include <cstring>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

// Rec. 601 luminance of a pixel, multiplied by 1000.
inline int64_t Luminance1000(const uint8_t* bgr) { return 114 * bgr[0] + 587 * bgr[1] + 299 * bgr[2]; }

// The background that contrasts with the drawn pixels: black for light ones, white for dark ones. Pixels are weighted
// by alpha, so the colours of transparent pixels have no effect.
uint8_t ContrastingGround(const Raster& raster) {
  int64_t luminance = 0;  // 100 Mpx * 255 * 255 * 1000 fits 63 bits
  int64_t alpha = 0;
  const uint8_t* p = raster.pixels.data();
  for (const uint8_t* end = p + raster.pixels.size(); p != end; p += 4) {
    luminance += Luminance1000(p) * (raster.premultiplied ? 255 : p[3]);
    alpha += p[3];
  }
  if (alpha == 0) return 255;
  return luminance / alpha >= 128 * 1000 ? 0 : 255;
}

// Converts BGRA to BGR in place.
void RemoveAlpha(AlphaMode mode, Raster* raster) {
  const size_t num_pixels = raster->pixels.size() / 4;
  uint8_t* const data = raster->pixels.data();
  if (mode == AlphaMode::kDrop) {
    for (size_t i = 0; i < num_pixels; ++i) std::memmove(data + 3 * i, data + 4 * i, 3);
  } else {
    const int ground = ContrastingGround(*raster);
    for (size_t i = 0; i < num_pixels; ++i) {
      const std::array<int, 4> p = {data[4 * i], data[4 * i + 1], data[4 * i + 2], data[4 * i + 3]};
      for (size_t c = 0; c < 3; ++c) {
        const int colour = raster->premultiplied ? std::min(p[c], p[3]) * 255 : p[c] * p[3];
        data[3 * i + c] = static_cast<uint8_t>((colour + ground * (255 - p[3]) + 127) / 255);
      }
    }
  }
  raster->channels = 3;
  raster->pixels.resize(num_pixels * 3);
}

// Copies width x height pixels: output pixel (x, y) is the one at from + x * step_x + y * step_y. Works in square
// blocks, so that a quarter turn stays in the cache.
template <int kChannels>
void CopySteps(const uint8_t* from, ptrdiff_t step_x, ptrdiff_t step_y, int width, int height, uint8_t* to) {
  constexpr int kSquare = 32;
  for (int y0 = 0; y0 < height; y0 += kSquare) {
    for (int x0 = 0; x0 < width; x0 += kSquare) {
      for (int y = y0; y < std::min(y0 + kSquare, height); ++y) {
        const uint8_t* in = from + y * step_y + x0 * step_x;
        uint8_t* out = to + (static_cast<size_t>(y) * width + x0) * kChannels;
        for (int x = x0; x < std::min(x0 + kSquare, width); ++x, in += step_x, out += kChannels) {
          for (int c = 0; c < kChannels; ++c) out[c] = in[c];
        }
      }
    }
  }
}

// Applies the EXIF orientation: 2 mirrored, 3 rotated by 180 degrees, 4 flipped vertically, 5 transposed, 6 rotate by
// 90 degrees clockwise, 7 transposed about the other diagonal, 8 rotate by 90 degrees counter-clockwise.
void TurnUpright(Raster* raster) {
  const int o = raster->orientation;
  if (o < 2 || o > 8) return;
  const bool swap = o >= 5;
  const bool from_right = o == 2 || o == 3 || o == 7 || o == 8;
  const bool from_bottom = o == 3 || o == 4 || o == 6 || o == 7;
  const ptrdiff_t pixel = raster->channels;
  const ptrdiff_t row = static_cast<ptrdiff_t>(raster->row_bytes());
  const uint8_t* from = raster->pixels.data();
  if (from_right) from += (raster->width_px - 1) * pixel;
  if (from_bottom) from += (raster->height_px - 1) * row;
  const ptrdiff_t along_row = from_right ? -pixel : pixel;
  const ptrdiff_t along_column = from_bottom ? -row : row;
  const int width = swap ? raster->height_px : raster->width_px;
  const int height = swap ? raster->width_px : raster->height_px;
  std::vector<uint8_t> turned(raster->pixels.size());
  const auto copy = raster->channels == 1 ? CopySteps<1> : CopySteps<3>;
  copy(from, swap ? along_column : along_row, swap ? along_row : along_column, width, height, turned.data());
  raster->pixels.swap(turned);
  raster->width_px = width;
  raster->height_px = height;
}

}  // namespace

void Allocate(int width_px, int height_px, int channels, uint8_t fill, Raster* raster) {
  raster->width_px = width_px;
  raster->height_px = height_px;
  raster->channels = channels;
  raster->pixels.assign(static_cast<size_t>(width_px) * height_px * channels, fill);
}

Status CheckSize(const char* format, int64_t width_px, int64_t height_px, int64_t max_pixels) {
  if (width_px < 1 || height_px < 1) {
    return CorruptImage(format, " header: expected sides of at least 1 px, got ", width_px, " x ", height_px);
  }
  // The sides fit into 32 bits and their product into 64. Four bytes per pixel must fit too, whatever the caller's
  // limit.
  constexpr int64_t kMaxPixels = int64_t{1} << 40;
  max_pixels = std::min(max_pixels, kMaxPixels);
  if (width_px > INT32_MAX || height_px > INT32_MAX || width_px * height_px > max_pixels) {
    return InvalidArgument(format, " header: ", width_px, " x ", height_px, " px are more than the limit of ",
                           max_pixels, " pixels (max_pixels)");
  }
  return Status();
}

Status CheckToWrite(const char* format, const ImageView& image) {
  if (BytesPerPixel(image.format) == 0) {
    return InvalidArgument(format, " to write: format is ", static_cast<int>(image.format),
                           ", which is not a value of PixelFormat");
  }
  const int64_t row_bytes = int64_t{image.width_px} * BytesPerPixel(image.format);
  if (image.pixels == nullptr || image.width_px < 1 || image.height_px < 1) {
    return InvalidArgument(format, " to write: expected pixels and sides of at least 1 px, got ", image.width_px, " x ",
                           image.height_px, image.pixels == nullptr ? " and no pixels" : "");
  }
  if (image.height_px > 1 && std::abs(int64_t{image.stride_bytes}) < row_bytes) {
    return InvalidArgument(format, " to write: expected a stride of at least ", row_bytes, " bytes, got ",
                           image.stride_bytes);
  }
  return Status();
}

DecodedImage Finish(Raster raster, const DecodeOptions& options) {
  if (raster.channels == 4) RemoveAlpha(options.alpha, &raster);
  if (options.apply_exif_rotation) TurnUpright(&raster);
  DecodedImage image;
  image.width_px = raster.width_px;
  image.height_px = raster.height_px;
  image.stride_bytes = static_cast<ptrdiff_t>(raster.row_bytes());
  image.format = raster.channels == 1 ? PixelFormat::kGray8 : PixelFormat::kBgr24;
  image.pixels = std::move(raster.pixels);
  image.dpi = raster.dpi;
  image.warnings = std::move(raster.warnings);
  return image;
}

}  // namespace inkread::codec
