// The register tile of all matrix products: a few rows of x times one packed panel of weights.
#include "backends/cpu/vector-inl.h"

#if defined(INKREAD_BACKENDS_CPU_MATRIX_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef INKREAD_BACKENDS_CPU_MATRIX_TILE_INL_H_
#undef INKREAD_BACKENDS_CPU_MATRIX_TILE_INL_H_
#else
#define INKREAD_BACKENDS_CPU_MATRIX_TILE_INL_H_
#endif

#include <utility>

#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// A panel is two vectors wide. A tile has as many rows as registers allow, next to two vectors of weights and one of x.
inline constexpr size_t kPanel = 2 * kLanes;
#if defined(INKREAD_CPU_SMALL_TILES)
inline constexpr size_t kTileRows = 5;  // with sanitizers all heights of larger tiles take minutes to compile
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
inline constexpr size_t kTileRows = 14;  // 28 of 32 registers
#elif HWY_TARGET == HWY_NEON
inline constexpr size_t kTileRows = 12;  // 24 of 32
#elif HWY_TARGET == HWY_AVX2
inline constexpr size_t kTileRows = 6;  // 12 of 16
#else
inline constexpr size_t kTileRows = 5;  // 10 of 16; without fused multiply-add a product needs one too
#endif

// The values of a row are num_outer x num_inner runs of run_length floats each, in the order of the weights' rows.
struct MatrixTile {
  const float* x;  // of the tile's first row
  size_t x_row;    // floats from row to row
  size_t num_outer, outer_stride;
  size_t num_inner, inner_stride;
  size_t run_length;
  const float* w;  // kPanel floats for each value of a row
  // What will be needed soon: one cache line is prefetched for each value from here on, again for each outer run.
  const float* prefetch;
  size_t prefetch_stride;
};

// Where a tile's results go. If `sums` is set they are stored there unchanged, [rows, kPanel], aligned. Else they are
// finished in registers (bias, clamp, gate and residual, each if it is not null) and stored to y.
struct TileResult {
  float* sums;
  float* y;
  size_t y_ld;
  size_t columns;  // of the panel that are needed
  const float* bias;
  const float* clamp;  // lower and upper limit
  const float* gate;
  const float* residual;
  size_t residual_ld;
};

template <size_t kRow>
HWY_INLINE const float* RowOf(const char* p0, const char* p1, const char* p2, const char* p3, size_t s, size_t s3) {
  const char* p = kRow / 4 == 0 ? p0 : kRow / 4 == 1 ? p1 : kRow / 4 == 2 ? p2 : p3;
  p += kRow % 4 == 0 ? 0 : kRow % 4 == 1 ? s : kRow % 4 == 2 ? 2 * s : s3;
  return reinterpret_cast<const float*>(p);
}

template <size_t kVectors, size_t kRows, size_t... kRow>
HWY_INLINE void FinishTile(V (&sum0)[kRows], V (&sum1)[kRows], const TileResult& r, std::index_sequence<kRow...>) {
  if (r.sums != nullptr) {
    ((hn::Store(sum0[kRow], kD, r.sums + kRow * kPanel)), ...);
    if constexpr (kVectors == 2) ((hn::Store(sum1[kRow], kD, r.sums + kRow * kPanel + kLanes)), ...);
    return;
  }
  const size_t part0 = HWY_MIN(r.columns, kLanes), part1 = r.columns - part0;
  if (r.bias != nullptr) {
    const V bias = LoadPart(r.bias, part0);
    ((sum0[kRow] = hn::Add(sum0[kRow], bias)), ...);
    if constexpr (kVectors == 2) {
      const V bias1 = LoadPart(r.bias + kLanes, part1);
      ((sum1[kRow] = hn::Add(sum1[kRow], bias1)), ...);
    }
  }
  if (r.clamp != nullptr) {
    const V low = hn::Set(kD, r.clamp[0]), high = hn::Set(kD, r.clamp[1]);
    ((sum0[kRow] = hn::Min(hn::Max(sum0[kRow], low), high)), ...);
    if constexpr (kVectors == 2) ((sum1[kRow] = hn::Min(hn::Max(sum1[kRow], low), high)), ...);
  }
  if (r.gate != nullptr) {
    const V gate = LoadPart(r.gate, part0);
    ((sum0[kRow] = hn::Mul(sum0[kRow], gate)), ...);
    if constexpr (kVectors == 2) {
      const V gate1 = LoadPart(r.gate + kLanes, part1);
      ((sum1[kRow] = hn::Mul(sum1[kRow], gate1)), ...);
    }
  }
  if (r.residual != nullptr) {
    ((sum0[kRow] = hn::Add(sum0[kRow], LoadPart(r.residual + kRow * r.residual_ld, part0))), ...);
    if constexpr (kVectors == 2) {
      ((sum1[kRow] = hn::Add(sum1[kRow], LoadPart(r.residual + kRow * r.residual_ld + kLanes, part1))), ...);
    }
  }
  ((StorePart(sum0[kRow], r.y + kRow * r.y_ld, part0)), ...);
  if constexpr (kVectors == 2) ((StorePart(sum1[kRow], r.y + kRow * r.y_ld + kLanes, part1)), ...);
}

// Each sum starts at 0 and adds its products in order, in tiles of every shape, so a result does not depend on the
// tile.
template <size_t kVectors, size_t... kRow>
HWY_NOINLINE void RunMatrixTile(const MatrixTile& t, const TileResult& result, std::index_sequence<kRow...> rows) {
  V sum0[sizeof...(kRow)], sum1[sizeof...(kRow)];
  ((sum0[kRow] = hn::Zero(kD)), ...);
  ((sum1[kRow] = hn::Zero(kD)), ...);
  const float* w = t.w;
  // Four pointers, each serving four rows by x86's addressing modes, leave enough integer registers.
  const size_t s = t.x_row * sizeof(float), s3 = 3 * s;
  for (size_t outer = 0; outer < t.num_outer; ++outer) {
    const char* ahead = reinterpret_cast<const char*>(t.prefetch + outer * t.prefetch_stride);
    for (size_t inner = 0; inner < t.num_inner; ++inner) {
      const char* p0 = reinterpret_cast<const char*>(t.x + outer * t.outer_stride + inner * t.inner_stride);
      const char* p1 = p0 + 4 * s;
      const char* p2 = p0 + 8 * s;
      const char* p3 = p0 + 12 * s;
      for (size_t k = t.run_length; k != 0; --k) {
        // Keeps the compiler from making a pointer for each row, which would spill.
        asm("" : "+r"(p0), "+r"(p1), "+r"(p2), "+r"(p3));
        hwy::Prefetch(ahead);
        ahead += 64;
        const V w0 = hn::LoadU(kD, w);
        if constexpr (kVectors == 2) {
          const V w1 = hn::LoadU(kD, w + kLanes);
          (
              [&]() HWY_ATTR {
                const V x = hn::Set(kD, *RowOf<kRow>(p0, p1, p2, p3, s, s3));
                sum0[kRow] = hn::MulAdd(x, w0, sum0[kRow]);
                sum1[kRow] = hn::MulAdd(x, w1, sum1[kRow]);
              }(),
              ...);
        } else {
          ((sum0[kRow] = hn::MulAdd(hn::Set(kD, *RowOf<kRow>(p0, p1, p2, p3, s, s3)), w0, sum0[kRow])), ...);
        }
        w += kPanel;
        p0 += sizeof(float);
        p1 += sizeof(float);
        p2 += sizeof(float);
        p3 += sizeof(float);
      }
    }
  }
  FinishTile<kVectors>(sum0, sum1, result, rows);
}

template <size_t kVectors, size_t kRows>
HWY_INLINE void RunMatrixTileOf(const MatrixTile& t, const TileResult& result) {
  RunMatrixTile<kVectors>(t, result, std::make_index_sequence<kRows>());
}

// rows <= kTileRows. If no more than kLanes of the panel's columns are needed, the others are not computed.
HWY_INLINE void RunMatrixTile(const MatrixTile& t, size_t rows, const TileResult& result) {
  using Run = void (*)(const MatrixTile&, const TileResult&);
  constexpr auto kTables = []<size_t... kRow>(std::index_sequence<kRow...>) {
    struct Tables {
      Run one[kTileRows], two[kTileRows];
    };
    return Tables{{RunMatrixTileOf<1, kRow + 1>...}, {RunMatrixTileOf<2, kRow + 1>...}};
  }
  (std::make_index_sequence<kTileRows>());
  static constexpr auto kRun = kTables;
  (result.columns <= kLanes ? kRun.one : kRun.two)[rows - 1](t, result);
}

// Cuts [begin, end) into tiles of about equally many rows, at most tile_rows, and calls body(first_row, num_rows).
template <typename Body>
HWY_INLINE void ForEachTile(size_t begin, size_t end, size_t tile_rows, const Body& body) {
  const size_t count = end - begin;
  const size_t tiles = (count + tile_rows - 1) / tile_rows;
  for (size_t i = 0; i < tiles; ++i) {
    const size_t from = begin + count * i / tiles;
    body(from, begin + count * (i + 1) / tiles - from);
  }
}
template <typename Body>
HWY_INLINE void ForEachTile(size_t begin, size_t end, const Body& body) {
  ForEachTile(begin, end, kTileRows, body);
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
