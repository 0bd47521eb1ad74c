// Products of bf16 by the BFDOT of Armv8.6.
#include "backends/cpu/bf16_unit.h"

#if INKREAD_BF16_ARM
#include <arm_neon.h>

#include <algorithm>
#include <cstring>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#else
#include <sys/auxv.h>
#endif

namespace inkread::cpu {
namespace {

#define INKREAD_BFDOT __attribute__((target("arch=armv8.2-a+bf16")))

// Sums of six rows and four vectors of columns, half a panel, in registers.
constexpr size_t kRows = 6, kVectors = 4, kColumns = kVectors * 4;

// `rows` up to kRows of them are stored; memory of all is readable.
INKREAD_BFDOT void MultiplyHalf(const Bf16Tile& t, size_t row, size_t rows, size_t column) {
  float32x4_t sums[kRows][kVectors];
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t v = 0; v < kVectors; ++v) sums[r][v] = vdupq_n_f32(0);
  }
  for (size_t run = 0; run < t.num_runs; ++run) {
    const uint16_t* x = t.x + row * t.x_row + run * t.run_stride;
    const uint16_t* w = t.w + run * t.num_chunks * kBf16Chunk * kBf16Panel + 2 * column;
    for (size_t pair = 0; pair < t.num_pairs; ++pair, x += 2, w += 2 * kBf16Panel) {
      bfloat16x8_t weights[kVectors];
      for (size_t v = 0; v < kVectors; ++v) weights[v] = vreinterpretq_bf16_u16(vld1q_u16(w + v * 8));
      for (size_t r = 0; r < kRows; ++r) {
        uint32_t both;
        std::memcpy(&both, x + r * t.x_row, sizeof(both));
        const bfloat16x8_t value = vreinterpretq_bf16_u32(vdupq_n_u32(both));
        for (size_t v = 0; v < kVectors; ++v) sums[r][v] = vbfdotq_f32(sums[r][v], value, weights[v]);
      }
    }
  }
  for (size_t r = 0; r < rows; ++r) {
    for (size_t v = 0; v < kVectors; ++v) vst1q_f32(t.sums + (row + r) * kBf16Panel + column + v * 4, sums[r][v]);
  }
}

void Multiply(const Bf16Tile& t) {
  for (size_t row = 0; row < t.rows; row += kRows) {
    for (size_t column = 0; column < t.columns; column += kColumns)
      MultiplyHalf(t, row, std::min(kRows, t.rows - row), column);
  }
}

bool HasBfdot() {
#if defined(__APPLE__)
  int has = 0;
  size_t size = sizeof(has);
  return sysctlbyname("hw.optional.arm.FEAT_BF16", &has, &size, nullptr, 0) == 0 && has != 0;
#else
  constexpr unsigned long kBf16Bit = 1ul << 14;  // HWCAP2_BF16
  return (getauxval(AT_HWCAP2) & kBf16Bit) != 0;
#endif
}

constexpr Bf16Unit kBfdot = {"bfdot", 2 * kRows, [] {}, [] {}, Multiply};

}  // namespace

const Bf16Unit* FindBf16Unit(bool /*allow_amx*/, std::string* why_not) {
  if (HasBfdot()) return &kBfdot;
  *why_not = "this processor has no BFDOT";
  return nullptr;
}

}  // namespace inkread::cpu

#endif  // INKREAD_BF16_ARM
