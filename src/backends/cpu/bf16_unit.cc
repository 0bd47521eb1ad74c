#include "backends/cpu/bf16_unit.h"

#include <cstring>

namespace inkread::cpu {

void CopyPixels(const uint16_t* x, size_t x_ld, size_t channels, size_t pixels, uint16_t* to) {
  const size_t stored = channels + channels % 2;
  if (x_ld == channels && stored == channels) {
    std::memcpy(to, x, pixels * channels * sizeof(*to));
  } else if (channels == 3) {  // images
    for (size_t i = 0; i < pixels; ++i) {
      uint32_t two;
      std::memcpy(&two, x + i * x_ld, sizeof(two));
      const uint64_t four = two | uint64_t{x[i * x_ld + 2]} << 32;
      std::memcpy(to + i * 4, &four, sizeof(four));
    }
  } else {
    for (size_t i = 0; i < pixels; ++i) {
      std::memcpy(to + i * stored, x + i * x_ld, channels * sizeof(*to));
      if (stored != channels) to[i * stored + channels] = 0;
    }
  }
}

#if !INKREAD_BF16_X86 && !INKREAD_BF16_ARM
const Bf16Unit* FindBf16Unit(bool /*allow_amx*/, std::string* why_not) {
  *why_not = "bf16 kernels are only there for x86-64 under Linux and for 64-bit Arm";
  return nullptr;
}
#endif

}  // namespace inkread::cpu
