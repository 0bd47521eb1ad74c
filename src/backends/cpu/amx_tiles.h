// What both users of AMX need before the first tile: detection, permission, and the shape of the tiles.
#ifndef INKREAD_BACKENDS_CPU_AMX_TILES_H_
#define INKREAD_BACKENDS_CPU_AMX_TILES_H_

#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)
#define INKREAD_CPU_X86 1
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inkread::cpu {

// Eight tiles of 16 rows of 64 bytes.
struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

// Bits of CPUID 7.0's edx.
inline constexpr unsigned kBf16TilesBit = 1u << 22;
inline constexpr unsigned kInt8TilesBit = 1u << 25;

// Detects tiles and products of this kind.
inline bool HasTiles(unsigned edx_bit) {
  constexpr unsigned kTilesBit = 1u << 24;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & kTilesBit) && (edx & edx_bit);
}

// Asks Linux for permission to use tiles. False if it refuses.
inline bool RequestTiles() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace inkread::cpu

#else
#define INKREAD_CPU_X86 0
#endif

#endif  // INKREAD_BACKENDS_CPU_AMX_TILES_H_
