// Products of bf16 by AMX, or by AVX-512 BF16.
#include "backends/cpu/bf16_unit.h"

#if INKREAD_BF16_X86
#include "backends/cpu/amx_tiles.h"

namespace inkread::cpu {
namespace {

#define INKREAD_AVX512_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

// AMX: tiles 0 to 3 are sums, 4 and 5 rows of x, 6 and 7 weights.
__attribute__((target("amx-tile"))) void BeginTiles() {
  static constexpr TileConfig kConfig;
  _tile_loadconfig(&kConfig);
}

__attribute__((target("amx-tile"))) void EndTiles() { _tile_release(); }

template <bool kTwoRows, bool kTwoColumns>
__attribute__((target("amx-tile,amx-bf16"))) void MultiplyTiles(const Bf16Tile& t) {
  // The intrinsics of g++ 12 do not say that they read memory.
  asm volatile("" : : : "memory");
  constexpr size_t kWordRow = kBf16Panel * sizeof(float);
  const size_t x_row = t.x_row * sizeof(uint16_t);
  const char* w = reinterpret_cast<const char*>(t.w);
  _tile_zero(0);
  if constexpr (kTwoColumns) _tile_zero(1);
  if constexpr (kTwoRows) _tile_zero(2);
  if constexpr (kTwoRows && kTwoColumns) _tile_zero(3);
  for (size_t run = 0; run < t.num_runs; ++run) {
    const char* x = reinterpret_cast<const char*>(t.x + run * t.run_stride);
    for (size_t chunk = 0; chunk < t.num_chunks; ++chunk) {
      _tile_loadd(6, w, kWordRow);
      _tile_loadd(4, x, x_row);
      _tile_dpbf16ps(0, 4, 6);
      if constexpr (kTwoColumns) {
        _tile_loadd(7, w + 64, kWordRow);
        _tile_dpbf16ps(1, 4, 7);
      }
      if constexpr (kTwoRows) {
        _tile_loadd(5, x + 16 * x_row, x_row);
        _tile_dpbf16ps(2, 5, 6);
        if constexpr (kTwoColumns) _tile_dpbf16ps(3, 5, 7);
      }
      x += kBf16Chunk * sizeof(uint16_t);
      w += kBf16Chunk / 2 * kWordRow;
    }
  }
  _tile_stored(0, t.sums, kWordRow);
  if constexpr (kTwoColumns) _tile_stored(1, t.sums + 16, kWordRow);
  if constexpr (kTwoRows) _tile_stored(2, t.sums + 16 * kBf16Panel, kWordRow);
  if constexpr (kTwoRows && kTwoColumns) _tile_stored(3, t.sums + 16 * kBf16Panel + 16, kWordRow);
  asm volatile("" : : : "memory");
}

void MultiplyByAmx(const Bf16Tile& t) {
  const bool two_columns = t.columns > 16;
  if (t.rows > 16) return two_columns ? MultiplyTiles<true, true>(t) : MultiplyTiles<true, false>(t);
  return two_columns ? MultiplyTiles<false, true>(t) : MultiplyTiles<false, false>(t);
}

// AVX-512 BF16: the sums of all rows of a tile are in registers.
constexpr size_t kVectorRows = 12;

INKREAD_AVX512_BF16 inline __m512i LoadPair(const uint16_t* x) {
  int both;
  __builtin_memcpy(&both, x, sizeof(both));
  return _mm512_set1_epi32(both);
}

INKREAD_AVX512_BF16 inline __m512 AddProducts(__m512 sums, __m512i x, __m512i w) {
  return _mm512_dpbf16_ps(sums, reinterpret_cast<__m512bh>(x), reinterpret_cast<__m512bh>(w));
}

// kColumns is 8, 16, 24 or 32. Of 8 columns that are left over, two rows share a vector: the even row's are in its lower
// half.
template <size_t kRows, size_t kColumns>
INKREAD_AVX512_BF16 void MultiplyVectors(const Bf16Tile& t) {
  constexpr size_t kWhole = kColumns / 16;  // vectors of a row of its own
  constexpr bool kHasHalf = kColumns % 16 != 0;
  constexpr __mmask16 kUpper = 0xff00;
  static_assert(kRows % 2 == 0);
  __m512 sums[kRows][2], halves[kRows / 2];
  for (size_t r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = halves[r / 2] = _mm512_setzero_ps();
  for (size_t run = 0; run < t.num_runs; ++run) {
    const uint16_t* x = t.x + run * t.run_stride;
    const uint16_t* w = t.w + run * t.num_chunks * kBf16Chunk * kBf16Panel;
    for (size_t pair = 0; pair < t.num_pairs; ++pair, x += 2, w += 2 * kBf16Panel) {
      const __m512i w0 = _mm512_loadu_si512(w), w1 = _mm512_loadu_si512(w + 32);
      const __m256i w_last = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w + 32 * kWhole));
      const __m512i w_half = _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(w_last), w_last, 1);
      for (size_t r = 0; r < kRows; r += 2) {
        const __m512i even = LoadPair(x + r * t.x_row), odd = LoadPair(x + (r + 1) * t.x_row);
        if constexpr (kWhole > 0) {
          sums[r][0] = AddProducts(sums[r][0], even, w0);
          sums[r + 1][0] = AddProducts(sums[r + 1][0], odd, w0);
        }
        if constexpr (kWhole > 1) {
          sums[r][1] = AddProducts(sums[r][1], even, w1);
          sums[r + 1][1] = AddProducts(sums[r + 1][1], odd, w1);
        }
        if constexpr (kHasHalf)
          halves[r / 2] = AddProducts(halves[r / 2], _mm512_mask_mov_epi32(even, kUpper, odd), w_half);
      }
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    float* to = t.sums + r * kBf16Panel;
    for (size_t i = 0; i < kWhole; ++i) _mm512_storeu_ps(to + 16 * i, sums[r][i]);
    if constexpr (kHasHalf) {
      alignas(64) float half[16];
      _mm512_store_ps(half, halves[r / 2]);
      __builtin_memcpy(to + 16 * kWhole, half + r % 2 * 8, 8 * sizeof(float));
    }
  }
}

template <size_t kRows>
void MultiplyColumns(const Bf16Tile& t) {
  if (t.columns <= 8) return MultiplyVectors<kRows, 8>(t);
  if (t.columns <= 16) return MultiplyVectors<kRows, 16>(t);
  if (t.columns <= 24) return MultiplyVectors<kRows, 24>(t);
  MultiplyVectors<kRows, 32>(t);
}

// Memory of more rows is readable, so that two heights are enough.
void MultiplyByAvx512(const Bf16Tile& t) { t.rows > 4 ? MultiplyColumns<kVectorRows>(t) : MultiplyColumns<4>(t); }

constexpr Bf16Unit kAmx = {"amx", 32, BeginTiles, EndTiles, MultiplyByAmx};
constexpr Bf16Unit kAvx512 = {"avx512bf16", kVectorRows, [] {}, [] {}, MultiplyByAvx512};

}  // namespace

const Bf16Unit* FindBf16Unit(bool allow_amx, std::string* why_not) {
  if (!__builtin_cpu_supports("avx512bf16")) {
    *why_not = "this processor has neither AMX nor AVX-512 BF16";
    return nullptr;
  }
  if (!HasTiles(kBf16TilesBit) || !allow_amx) return &kAvx512;
  // Processors that have tiles do AVX-512 BF16 at half the rate of f32, so that is no second choice.
  if (!RequestTiles()) {
    *why_not = "the kernel does not let AMX be used";
    return nullptr;
  }
  return &kAmx;
}

}  // namespace inkread::cpu

#endif  // INKREAD_BF16_X86
