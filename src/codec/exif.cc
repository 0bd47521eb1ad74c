// Finds the orientation tag of an EXIF block.
#include <cstring>
#include <optional>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

// Types of a directory entry, as TIFF numbers them.
constexpr uint32_t kByte = 1, kShort = 3, kLong = 4, kSignedByte = 6, kSignedShort = 8, kSignedLong = 9;

class EndianBytes {
 public:
  EndianBytes(std::span<const uint8_t> bytes, bool little) : bytes_(bytes), little_(little) {}

  bool Holds(size_t offset, size_t size) const { return offset <= bytes_.size() && size <= bytes_.size() - offset; }
  // Requires Holds().
  uint32_t U8(size_t at) const { return bytes_[at]; }
  uint32_t U16(size_t at) const {
    return little_ ? bytes_[at] | bytes_[at + 1] << 8 : bytes_[at] << 8 | bytes_[at + 1];
  }
  uint32_t U32(size_t at) const { return little_ ? U16(at) | U16(at + 2) << 16 : U16(at) << 16 | U16(at + 2); }

 private:
  std::span<const uint8_t> bytes_;
  bool little_;
};

// The first value of a directory entry of 12 bytes, if it is an integer that the entry itself holds. The standard says
// SHORT for the orientation; some phones write LONG. A signed type is read alike: no valid value is negative.
std::optional<uint32_t> IntegerOf(const EndianBytes& in, size_t entry) {
  const uint32_t type = in.U16(entry + 2);
  const uint32_t count = in.U32(entry + 4);
  const size_t at = entry + 8;
  if ((type == kByte || type == kSignedByte) && count <= 4) return in.U8(at);
  if ((type == kShort || type == kSignedShort) && count <= 2) return in.U16(at);
  if ((type == kLong || type == kSignedLong) && count <= 1) return in.U32(at);
  return std::nullopt;
}

}  // namespace

int ExifOrientation(std::span<const uint8_t> exif) {
  constexpr uint32_t kOrientationTag = 0x0112;
  if (exif.size() >= 6 && std::memcmp(exif.data(), "Exif\0\0", 6) == 0) exif = exif.subspan(6);
  if (exif.size() < 8) return 1;
  const bool little = exif[0] == 'I' && exif[1] == 'I';
  if (!little && !(exif[0] == 'M' && exif[1] == 'M')) return 1;
  const EndianBytes in(exif, little);
  if (in.U16(2) != 42) return 1;
  const size_t directory = in.U32(4);
  if (!in.Holds(directory, 2)) return 1;
  const size_t num_entries = in.U16(directory);
  for (size_t i = 0; i < num_entries; ++i) {
    const size_t entry = directory + 2 + 12 * i;
    if (!in.Holds(entry, 12)) return 1;
    if (in.U16(entry) != kOrientationTag) continue;
    const uint32_t value = IntegerOf(in, entry).value_or(1);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace inkread::codec
