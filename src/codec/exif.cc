// Finds the orientation tag of an EXIF block.
#include <cstring>

#include "codec/formats.h"

namespace inkread::codec {
namespace {

class EndianBytes {
 public:
  EndianBytes(std::span<const uint8_t> bytes, bool little) : bytes_(bytes), little_(little) {}

  bool Holds(size_t offset, size_t size) const { return offset <= bytes_.size() && size <= bytes_.size() - offset; }
  // Requires Holds().
  uint32_t U16(size_t at) const {
    return little_ ? bytes_[at] | bytes_[at + 1] << 8 : bytes_[at] << 8 | bytes_[at + 1];
  }
  uint32_t U32(size_t at) const { return little_ ? U16(at) | U16(at + 2) << 16 : U16(at) << 16 | U16(at + 2); }

 private:
  std::span<const uint8_t> bytes_;
  bool little_;
};

}  // namespace

int ExifOrientation(std::span<const uint8_t> exif) {
  constexpr uint32_t kOrientationTag = 0x0112;
  constexpr uint32_t kShort = 3;
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
    const uint32_t value = in.U16(entry + 8);
    return in.U16(entry + 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace inkread::codec
