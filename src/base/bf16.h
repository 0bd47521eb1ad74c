// bf16: the upper half of a float. Eight bits of precision, a float's range.
#ifndef INKREAD_BASE_BF16_H_
#define INKREAD_BASE_BF16_H_

#include <bit>
#include <cstdint>

namespace inkread {

// Rounds to the nearest bf16, ties to even. A NaN stays a NaN.
inline uint16_t ToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float FromBf16(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

inline float RoundToBf16(float value) { return FromBf16(ToBf16(value)); }

}  // namespace inkread

#endif  // INKREAD_BASE_BF16_H_
