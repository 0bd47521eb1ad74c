// The processor's unit for products of bf16 with f32 sums. Highway supports neither AMX nor AVX-512 BF16 nor the BFDOT
// of Arm, so there are functions of our own, chosen at run time.
#ifndef INKREAD_BACKENDS_CPU_BF16_UNIT_H_
#define INKREAD_BACKENDS_CPU_BF16_UNIT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#if defined(__x86_64__) && defined(__linux__)
#define INKREAD_BF16_X86 1
#else
#define INKREAD_BF16_X86 0
#endif
#if defined(__aarch64__) && (defined(__linux__) || defined(__APPLE__))
#define INKREAD_BF16_ARM 1
#else
#define INKREAD_BF16_ARM 0
#endif

namespace inkread::cpu {

inline constexpr size_t kBf16Panel = 32;  // columns of packed weights side by side, and of a tile
inline constexpr size_t kBf16Chunk = 32;  // values of x that are multiplied at a time
inline constexpr size_t kBf16MaxRows = 32;

// Some rows of x times one panel of weights in BF16 (weights_form.h). Values are the bits of bf16.
struct Bf16Tile {
  const uint16_t* x;  // of the first row
  size_t x_row;       // values from row to row
  // A row is num_runs runs of num_pairs pairs each, in the order of the weights. Whole chunks are read, num_chunks of
  // them a run. Values behind the last pair are multiplied by weights of 0, so they must not be infinity or NaN.
  size_t num_runs, run_stride;
  size_t num_pairs, num_chunks;
  const uint16_t* w;  // [num_runs, num_chunks * 16, kBf16Panel, 2]
  size_t rows;        // 1 to the unit's tile_rows; memory of kBf16MaxRows rows is readable
  size_t columns;     // of the panel that are needed, 1 to kBf16Panel
  float* sums;        // [kBf16MaxRows, kBf16Panel], 64-byte aligned; other rows and columns may change too
};

struct Bf16Unit {
  const char* name;  // "amx"
  size_t tile_rows;
  // Called before and after a thread's calls of multiply.
  void (*begin)();
  void (*end)();
  // The order of a sum depends on num_runs and num_pairs alone.
  void (*multiply)(const Bf16Tile& tile);
};

// Copies pixels of `channels` bf16, x_ld apart, so that they are side by side, each followed by a 0 if channels is odd.
void CopyPixels(const uint16_t* x, size_t x_ld, size_t channels, size_t pixels, uint16_t* to);

// The best unit of this machine, AMX only if allow_amx. Null if it has none, with the reason in *why_not.
const Bf16Unit* FindBf16Unit(bool allow_amx, std::string* why_not);

}  // namespace inkread::cpu

#endif  // INKREAD_BACKENDS_CPU_BF16_UNIT_H_
