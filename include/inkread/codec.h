// Files to pixels, and back: JPEG, PNG, WebP, TIFF, BMP and GIF, told apart by their first bytes, never by name.
//
// Works on bytes in memory. Nothing throws, nothing is global, every function may be called from several threads.
// Messages name the format, the place and the reason, but not the file: the caller knows its name.
#ifndef INKREAD_CODEC_H_
#define INKREAD_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "inkread/image.h"
#include "inkread/status.h"

namespace inkread {

// The kinds after kGif are recognised, so that a user hears their name, but not decoded.
enum class ImageKind { kNone, kJpeg, kPng, kWebp, kTiff, kBmp, kGif, kHeif, kAvif, kJpegXl, kJpeg2000 };

// "JPEG", "PNG" and so on; "no image" for kNone.
const char* ImageKindName(ImageKind kind);

// What the first bytes promise; 32 of them are enough.
ImageKind SniffImage(std::span<const uint8_t> first_bytes);

// True for every kind but kNone.
bool LooksLikeImage(std::span<const uint8_t> first_bytes);

enum class AlphaMode {
  kContrast,  // laid on black when the visible pixels are light on the whole, else on white
  kDrop,      // stored colours as they are, as OpenCV's colour decode gives them
};

struct DecodeOptions {
  int64_t max_pixels = 100'000'000;  // compared with the header's width * height before any pixel is unpacked
  bool apply_exif_rotation = true;   // turn and mirror by the orientation tag of JPEG, PNG, WebP and TIFF
  AlphaMode alpha = AlphaMode::kContrast;
};

struct DecodedImage {
  int width_px = 0;
  int height_px = 0;
  ptrdiff_t stride_bytes = 0;
  PixelFormat format = PixelFormat::kBgr24;  // kBgr24 or kGray8
  std::vector<uint8_t> pixels;
  // What a user should know: "PNG: cut at row 231 of 480; the rest is blank", "GIF: an animation of 12 frames; ...".
  std::vector<std::string> warnings;

  ImageView view() const { return {pixels.data(), width_px, height_px, stride_bytes, format}; }
};

// An image file in memory, opened to know its pages.
//
// bytes     must stay alive and unchanged as long as the object
// Threads   Decode may run on several threads at once
class ImageFile {
 public:
  // Errors  kInvalidArgument (no bytes), kCorruptImage (no image, or a directory of pages that cannot be read),
  //         kUnsupported (a kind that is not decoded)
  static Result<ImageFile> Open(std::span<const uint8_t> bytes);

  ImageKind kind() const { return kind_; }
  // Pages of a TIFF (reduced copies and masks are no pages); 1 for everything else. Of an animation the first frame
  // is the page, and a warning of Decode says how many frames there are.
  int num_pages() const { return kind_ == ImageKind::kTiff ? static_cast<int>(tiff_pages_.size()) : 1; }

  // page      from 0
  // Returns   8-bit pixels, 16 bits reduced to their high byte. A damaged file whose beginning can be read gives
  //           that beginning and a warning.
  // Errors    kInvalidArgument (page out of range, more than max_pixels), kCorruptImage, kUnsupported, kOutOfMemory
  Result<DecodedImage> Decode(int page, const DecodeOptions& options) const;

 private:
  ImageFile(ImageKind kind, std::span<const uint8_t> bytes) : kind_(kind), bytes_(bytes) {}

  ImageKind kind_;
  std::span<const uint8_t> bytes_;
  std::vector<uint64_t> tiff_pages_;  // where each page's directory begins, bytes from the start of the file
};

// Page 0 of a file in memory: ImageFile::Open and Decode in one call.
Result<DecodedImage> DecodeImage(std::span<const uint8_t> bytes, const DecodeOptions& options);

// A PNG of the image: grey, RGB or RGBA, 8 bits, rows from top to bottom.
//
// Errors  kInvalidArgument (no pixels, sides below 1, stride below a row), kOutOfMemory
Result<std::vector<uint8_t>> EncodePng(const ImageView& image);

}  // namespace inkread

#endif  // INKREAD_CODEC_H_
