// Image files to pixels, and back: JPEG, PNG, WebP, TIFF, BMP, GIF and JPEG 2000. The first bytes tell the format, not
// the name.
//
// The functions work on bytes in memory. They do not throw, keep no global state and may run on several threads.
// Messages name the format, the place and the reason, but not the file: the caller knows its name.
#ifndef INKREAD_CODEC_H_
#define INKREAD_CODEC_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "inkread/image.h"
#include "inkread/status.h"

namespace inkread {

// The kinds that CanDecode refuses are recognised so that messages can name them.
enum class ImageKind { kNone, kJpeg, kPng, kWebp, kTiff, kBmp, kGif, kHeif, kAvif, kJpegXl, kJpeg2000 };

// "JPEG", "PNG" and so on; "no image" for kNone and for a value that is not an ImageKind.
INKREAD_API const char* ImageKindName(ImageKind kind);

// The kind that the first bytes of a file tell; 32 of them are enough.
INKREAD_API ImageKind SniffImage(std::span<const uint8_t> first_bytes);

// Whether ImageFile opens images of this kind.
INKREAD_API bool CanDecode(ImageKind kind);

// True for every kind but kNone.
INKREAD_API bool LooksLikeImage(std::span<const uint8_t> first_bytes);

enum class AlphaMode {
  kContrast,  // the image is laid on black when its visible pixels are light on average, else on white
  kDrop,      // the stored colours as they are, as OpenCV decodes them
};

struct DecodeOptions {
  int64_t max_pixels = 100'000'000;  // limit for width * height, checked before any pixel is unpacked
  bool apply_exif_rotation = true;   // rotate and mirror by the orientation tag of JPEG, PNG, WebP and TIFF
  AlphaMode alpha = AlphaMode::kContrast;
};

struct DecodedImage {
  int width_px = 0;
  int height_px = 0;
  ptrdiff_t stride_bytes = 0;
  PixelFormat format = PixelFormat::kBgr24;  // kBgr24 or kGray8
  std::vector<uint8_t> pixels;
  double dpi = 0;  // across the image as stored, in px per inch; 0 where the file does not say
  // For people: "PNG: truncated at row 231 of 480; the rest is blank", "GIF: an animation of 12 frames; ...".
  std::vector<std::string> warnings;

  ImageView view() const { return {pixels.data(), width_px, height_px, stride_bytes, format}; }
};

// An image file in memory, opened so that its pages are known.
//
// Threads   Decode may run on several threads at once
class ImageFile {
 public:
  // bytes   must stay alive and unchanged as long as the object
  // Errors  kInvalidArgument (no bytes), kCorruptImage (no image, or a directory of pages that cannot be read),
  //         kUnsupported (a kind that is not decoded)
  INKREAD_API static Result<ImageFile> Open(std::span<const uint8_t> bytes);

  ImageKind kind() const { return kind_; }
  // The number of pages of a TIFF, without reduced copies and masks; 1 for every other kind. The page of an animation
  // is its first frame, and a warning of Decode says how many frames there are.
  int num_pages() const { return kind_ == ImageKind::kTiff ? static_cast<int>(tiff_pages_.size()) : 1; }

  // page      from 0
  // Returns   8-bit pixels, 16 bits reduced to their high byte. A damaged file whose beginning can be read gives
  //           that beginning and a warning.
  // Errors    kInvalidArgument (page or alpha out of range, more than max_pixels), kCorruptImage, kUnsupported,
  //           kOutOfMemory
  INKREAD_API Result<DecodedImage> Decode(int page = 0, const DecodeOptions& options = {}) const;

 private:
  ImageFile(ImageKind kind, std::span<const uint8_t> bytes) : kind_(kind), bytes_(bytes) {}

  ImageKind kind_;
  std::span<const uint8_t> bytes_;
  std::vector<uint64_t> tiff_pages_;  // offset of each page's directory in the file, bytes
};

// Decodes page 0 of a file in memory: ImageFile::Open and Decode in one call.
INKREAD_API Result<DecodedImage> DecodeImage(std::span<const uint8_t> bytes, const DecodeOptions& options = {});

// What the header of a JPEG says, for programs that pass the file on as it is.
struct JpegHeader {
  int width_px = 0, height_px = 0;  // as stored
  int channels = 0;                 // 1 grey, 3 colour, 4 CMYK
  int orientation = 1;              // EXIF tag, 1 to 8; 1 is upright
  bool is_common = false;           // Huffman codes, and YCbCr or grey: what every decoder reads
};

// Errors  kCorruptImage (no JPEG), kUnsupported, kOutOfMemory
INKREAD_API Result<JpegHeader> ReadJpegHeader(std::span<const uint8_t> bytes);

// Encodes the image as a PNG: grey, RGB or RGBA, 8 bits a channel.
//
// Errors  kInvalidArgument (no pixels, sides below 1, stride below a row, format out of range), kOutOfMemory
INKREAD_API Result<std::vector<uint8_t>> EncodePng(const ImageView& image);

// Encodes the image as a JPEG: grey, or YCbCr with its colours at half the resolution. Alpha is left out.
//
// quality  1 to 100, libjpeg's scale
// Errors   as EncodePng; kInvalidArgument also for a quality out of range and sides above 65500 px
INKREAD_API Result<std::vector<uint8_t>> EncodeJpeg(const ImageView& image, int quality = 90);

}  // namespace inkread

#endif  // INKREAD_CODEC_H_
