// Which kind of picture the first bytes promise.
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

// "BM" alone begins many a text; the size of the header that follows is one of a few.
bool IsBmp(std::span<const uint8_t> bytes) {
  return HasAt(bytes, 0, "BM"sv) && HasAnyAt(bytes, 14,
                                             {"\x0C\0\0\0"sv, "\x10\0\0\0"sv, "\x28\0\0\0"sv, "\x34\0\0\0"sv,
                                              "\x38\0\0\0"sv, "\x40\0\0\0"sv, "\x6C\0\0\0"sv, "\x7C\0\0\0"sv});
}

}  // namespace

const char* PictureKindName(PictureKind kind) {
  switch (kind) {
    case PictureKind::kNone:
      return "no picture";
    case PictureKind::kJpeg:
      return "JPEG";
    case PictureKind::kPng:
      return "PNG";
    case PictureKind::kWebp:
      return "WebP";
    case PictureKind::kTiff:
      return "TIFF";
    case PictureKind::kBmp:
      return "BMP";
    case PictureKind::kGif:
      return "GIF";
    case PictureKind::kHeif:
      return "HEIF";
    case PictureKind::kAvif:
      return "AVIF";
    case PictureKind::kJpegXl:
      return "JPEG XL";
    case PictureKind::kJpeg2000:
      return "JPEG 2000";
  }
  return "no picture";
}

PictureKind SniffPicture(std::span<const uint8_t> b) {
  if (HasAt(b, 0, "\xFF\xD8\xFF"sv)) return PictureKind::kJpeg;
  if (HasAt(b, 0, "\x89PNG\r\n\x1A\n"sv)) return PictureKind::kPng;
  if (HasAt(b, 0, "RIFF"sv) && HasAt(b, 8, "WEBP"sv)) return PictureKind::kWebp;
  if (HasAnyAt(b, 0, {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv})) return PictureKind::kTiff;
  if (HasAnyAt(b, 0, {"GIF87a"sv, "GIF89a"sv})) return PictureKind::kGif;
  if (IsBmp(b)) return PictureKind::kBmp;
  if (HasAt(b, 4, "ftyp"sv)) {
    if (HasAnyAt(b, 8, {"avif"sv, "avis"sv})) return PictureKind::kAvif;
    if (HasAnyAt(b, 8, {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv, "hevx"sv, "mif1"sv, "msf1"sv})) {
      return PictureKind::kHeif;
    }
  }
  if (HasAt(b, 0, "\0\0\0\x0CJXL \r\n\x87\n"sv) || HasAt(b, 0, "\xFF\x0A"sv)) return PictureKind::kJpegXl;
  if (HasAt(b, 0, "\0\0\0\x0CjP  \r\n\x87\n"sv) || HasAt(b, 0, "\xFF\x4F\xFF\x51"sv)) return PictureKind::kJpeg2000;
  return PictureKind::kNone;
}

bool LooksLikePicture(std::span<const uint8_t> first_bytes) { return SniffPicture(first_bytes) != PictureKind::kNone; }

}  // namespace inkread
