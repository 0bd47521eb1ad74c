// One reader per file format, all with the same interface, and what they share. Internal to src/codec/.
//
// A reader turns bytes into a Raster: pixels as stored, including alpha, before the EXIF orientation is applied.
// Readers allocate with std::vector and may throw std::bad_alloc; ImageFile::Decode turns that into a Status.
#ifndef INKREAD_CODEC_FORMATS_H_
#define INKREAD_CODEC_FORMATS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "inkread/codec.h"

namespace inkread::codec {

struct Raster {
  int width_px = 0;
  int height_px = 0;
  int channels = 3;             // 1 grey, 3 BGR, 4 BGRA
  bool premultiplied = false;   // colours are multiplied by alpha
  int orientation = 1;          // EXIF tag, 1 to 8; 1 is upright
  double dpi = 0;               // across; 0 where the file does not say
  std::vector<uint8_t> pixels;  // height_px rows of width_px * channels bytes, no gaps
  std::vector<std::string> warnings;

  size_t row_bytes() const { return static_cast<size_t>(width_px) * channels; }
  uint8_t* row(int y) { return pixels.data() + y * row_bytes(); }
};

inline constexpr double kCentimetresPerInch = 2.54;

// Allocates the pixels of a raster; every byte is `fill`. Throws std::bad_alloc.
void Allocate(int width_px, int height_px, int channels, uint8_t fill, Raster* raster);

// Checks the size that a header states, in px.
//
// Errors  kCorruptImage (a side below 1), kInvalidArgument (more than max_pixels)
Status CheckSize(const char* format, int64_t width_px, int64_t height_px, int64_t max_pixels);

// Checks what an encoder is to write.
//
// format  for messages: "PNG"
// Errors  kInvalidArgument (no pixels, sides below 1, stride below a row, format out of range)
Status CheckToWrite(const char* format, const ImageView& image);

Result<Raster> ReadJpeg(std::span<const uint8_t> bytes, const DecodeOptions& options);
Result<Raster> ReadPng(std::span<const uint8_t> bytes, const DecodeOptions& options);
Result<Raster> ReadWebp(std::span<const uint8_t> bytes, const DecodeOptions& options);
Result<Raster> ReadBmp(std::span<const uint8_t> bytes, const DecodeOptions& options);
Result<Raster> ReadGif(std::span<const uint8_t> bytes, const DecodeOptions& options);
Result<Raster> ReadJpeg2000(std::span<const uint8_t> bytes, const DecodeOptions& options);
// directory  one of ListTiffPages
Result<Raster> ReadTiff(std::span<const uint8_t> bytes, uint64_t directory, const DecodeOptions& options);

// The offsets of the page directories, in bytes from the start of the file; at least one.
Result<std::vector<uint64_t>> ListTiffPages(std::span<const uint8_t> bytes);

// The orientation tag of an EXIF block (a small TIFF file, with or without the prefix "Exif\0\0"). 1 if there is no tag
// or the block is damaged.
int ExifOrientation(std::span<const uint8_t> exif);

// Blends alpha onto a background and applies the orientation.
DecodedImage Finish(Raster raster, const DecodeOptions& options);

}  // namespace inkread::codec

#endif  // INKREAD_CODEC_FORMATS_H_
