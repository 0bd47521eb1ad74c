// Recognises the kind of an image by its first bytes.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "inkread/codec.h"

namespace inkread {
namespace {

using namespace std::string_view_literals;

bool HasAt(std::span<const uint8_t> bytes, size_t offset, std::string_view magic) {
  return bytes.size() >= offset + magic.size() && std::memcmp(bytes.data() + offset, magic.data(), magic.size()) == 0;
}

bool HasAnyAt(std::span<const uint8_t> bytes, size_t offset, std::initializer_list<std::string_view> magics) {
  for (std::string_view magic : magics) {
    if (HasAt(bytes, offset, magic)) return true;
  }
  return false;
}

// Many texts begin with "BM" too, so the size of the following header is checked as well.
bool IsBmp(std::span<const uint8_t> bytes) {
  return HasAt(bytes, 0, "BM"sv) && HasAnyAt(bytes, 14,
                                             {"\x0C\0\0\0"sv, "\x10\0\0\0"sv, "\x28\0\0\0"sv, "\x34\0\0\0"sv,
                                              "\x38\0\0\0"sv, "\x40\0\0\0"sv, "\x6C\0\0\0"sv, "\x7C\0\0\0"sv});
}

// The kind that the `ftyp` box at the start tells: a major brand, a version, then compatible brands. The major brand of
// an AVIF may be the general mif1, so that a compatible one tells the coding.
ImageKind KindOfBrands(std::span<const uint8_t> b) {
  if (b.size() < 12) return ImageKind::kNone;
  const size_t box_bytes = size_t{b[0]} << 24 | size_t{b[1]} << 16 | size_t{b[2]} << 8 | b[3];
  constexpr size_t kMaxBytes = 32;  // as many as the header promises to need
  const size_t end = std::min({std::max<size_t>(box_bytes, 12), b.size(), kMaxBytes});
  bool is_heif = false;
  for (size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
    if (HasAnyAt(b, at, {"avif"sv, "avis"sv})) return ImageKind::kAvif;
    is_heif |= HasAnyAt(b, at,
                        {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv, "hevm"sv, "hevs"sv, "hevx"sv, "mif1"sv,
                         "mif2"sv, "msf1"sv, "avci"sv, "avcs"sv});
  }
  return is_heif ? ImageKind::kHeif : ImageKind::kNone;
}

}  // namespace

const char* ImageKindName(ImageKind kind) {
  switch (kind) {
    case ImageKind::kNone:
      return "no image";
    case ImageKind::kJpeg:
      return "JPEG";
    case ImageKind::kPng:
      return "PNG";
    case ImageKind::kWebp:
      return "WebP";
    case ImageKind::kTiff:
      return "TIFF";
    case ImageKind::kBmp:
      return "BMP";
    case ImageKind::kGif:
      return "GIF";
    case ImageKind::kHeif:
      return "HEIF";
    case ImageKind::kAvif:
      return "AVIF";
    case ImageKind::kJpegXl:
      return "JPEG XL";
    case ImageKind::kJpeg2000:
      return "JPEG 2000";
  }
  return "no image";
}

ImageKind SniffImage(std::span<const uint8_t> b) {
  if (HasAt(b, 0, "\xFF\xD8\xFF"sv)) return ImageKind::kJpeg;
  if (HasAt(b, 0, "\x89PNG\r\n\x1A\n"sv)) return ImageKind::kPng;
  if (HasAt(b, 0, "RIFF"sv) && HasAt(b, 8, "WEBP"sv)) return ImageKind::kWebp;
  if (HasAnyAt(b, 0, {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})) return ImageKind::kTiff;
  if (HasAnyAt(b, 0, {"GIF87a"sv, "GIF89a"sv})) return ImageKind::kGif;
  if (IsBmp(b)) return ImageKind::kBmp;
  if (HasAt(b, 4, "ftyp"sv)) {
    if (const ImageKind kind = KindOfBrands(b); kind != ImageKind::kNone) return kind;
  }
  if (HasAt(b, 0, "\0\0\0\x0CJXL \r\n\x87\n"sv) || HasAt(b, 0, "\xFF\x0A"sv)) return ImageKind::kJpegXl;
  if (HasAt(b, 0, "\0\0\0\x0CjP  \r\n\x87\n"sv) || HasAt(b, 0, "\xFF\x4F\xFF\x51"sv)) return ImageKind::kJpeg2000;
  return ImageKind::kNone;
}

bool CanDecode(ImageKind kind) {
  return (kind >= ImageKind::kJpeg && kind <= ImageKind::kGif) || kind == ImageKind::kJpeg2000;
}

bool LooksLikeImage(std::span<const uint8_t> first_bytes) { return SniffImage(first_bytes) != ImageKind::kNone; }

}  // namespace inkread
