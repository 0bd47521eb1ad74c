// f16: IEEE 754 binary16. Eleven bits of precision, up to 65504.
#ifndef INKREAD_BASE_F16_H_
#define INKREAD_BASE_F16_H_

#include <bit>
#include <cstdint>

namespace inkread {

// Rounds to the nearest f16, ties to even; from 65520 on to infinity. A NaN stays a NaN.
inline uint16_t ToF16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);
  // Below 2^-14 the last place is 2^-24, which is also that of 0.5f. So adding 0.5 rounds.
  if (magnitude < 0x38800000)
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000));
  return static_cast<uint16_t>(sign | (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

inline float FromF16(uint16_t value) {
  const uint32_t sign = uint32_t{value & 0x8000u} << 16, magnitude = value & 0x7fffu;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000));
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f));
}

inline float RoundToF16(float value) { return FromF16(ToF16(value)); }

}  // namespace inkread

#endif  // INKREAD_BASE_F16_H_
