// Register tiles for panels of few columns, for which whole vectors of columns would leave lanes idle or need a load of
// x for each product. Here several values of a row share a vector: lane l has value l % values of column l / values.
// The partial sums are added at the end, neighbours first.
#include <cstring>

#include "backends/cpu/matrix_tile-inl.h"

#if defined(INKREAD_BACKENDS_CPU_NARROW_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef INKREAD_BACKENDS_CPU_NARROW_TILE_INL_H_
#undef INKREAD_BACKENDS_CPU_NARROW_TILE_INL_H_
#else
#define INKREAD_BACKENDS_CPU_NARROW_TILE_INL_H_
#endif

#undef INKREAD_CPU_NARROW_TILES
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define INKREAD_CPU_NARROW_TILES 1
#else
#define INKREAD_CPU_NARROW_TILES 0  // panels are 16 columns and less
#endif

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// How a panel's columns are laid out in vectors. 0 vectors: the usual tiles serve it.
struct NarrowShape {
  size_t values, vectors;
  size_t tile_rows() const { return vectors == 3 ? HWY_MIN(kTileRows, 9) : kTileRows; }
};

HWY_INLINE NarrowShape NarrowShapeOf(size_t columns) {
#if INKREAD_CPU_NARROW_TILES
  if (columns == 8 || columns == 12) return {4, columns / 4};
  if (columns == 16 || columns == 24) return {2, columns / 8};
#endif
  static_cast<void>(columns);
  return {0, 0};
}

#if INKREAD_CPU_NARROW_TILES

// The steps of a run: whole groups of values, then the rest one by one.
HWY_INLINE size_t NarrowSteps(size_t values, size_t run_length) { return run_length / values + run_length % values; }

HWY_INLINE size_t NarrowFloats(const NarrowShape& shape, size_t num_runs, size_t run_length) {
  return num_runs * NarrowSteps(shape.values, run_length) * shape.vectors * kLanes;
}

// Packs a panel's rows, in num_runs runs, for narrow tiles.
HWY_NOINLINE void PackNarrow(const NarrowShape& shape, const float* w, size_t num_runs, size_t run_length, float* to) {
  const hn::Half<D> half;
  const hn::Half<decltype(half)> quarter;
  const size_t values = shape.values, columns = kLanes / values;  // of a vector
  HWY_ALIGN int32_t order[kLanes];
  for (size_t l = 0; l < kLanes; ++l) order[l] = static_cast<int32_t>(l % values * columns + l / values);
  const auto lanes = hn::SetTableIndices(kD, order);
  const V zero = hn::Zero(kD);
  for (size_t run = 0; run < num_runs; ++run) {
    for (size_t k = 0; k < run_length;) {
      const bool is_whole = k + values <= run_length;
      for (size_t v = 0; v < shape.vectors; ++v, to += kLanes) {
        const float* from = w + v * columns;
        V rows;
        if (values == 2) {
          const auto upper = is_whole ? hn::LoadU(half, from + kPanel) : hn::LowerHalf(half, zero);
          rows = hn::Combine(kD, upper, hn::LoadU(half, from));
        } else {
          const auto row = [&](size_t r) HWY_ATTR {
            return is_whole || r == 0 ? hn::LoadU(quarter, from + r * kPanel) : hn::Zero(quarter);
          };
          rows = hn::Combine(kD, hn::Combine(half, row(3), row(2)), hn::Combine(half, row(1), row(0)));
        }
        hn::StoreU(hn::TableLookupLanes(rows, lanes), kD, to);
      }
      const size_t done = is_whole ? values : 1;
      k += done;
      w += done * kPanel;
    }
  }
}

HWY_INLINE V AddNeighbours(V low, V high) {
  return hn::Add(hn::ConcatEven(kD, high, low), hn::ConcatOdd(kD, high, low));
}

// The next values of each row in all groups of lanes. kCount lanes of a group get one, the others 0.
template <size_t kValues, size_t kCount>
HWY_INLINE V BroadcastValues(const float* p) {
  if constexpr (kCount == 1) {
    const hn::RebindToUnsigned<D> du;
    const auto is_first = hn::Eq(hn::And(hn::Iota(du, 0), hn::Set(du, kValues - 1)), hn::Zero(du));
    return hn::IfThenElseZero(hn::RebindMask(kD, is_first), hn::Set(kD, *p));
  } else if constexpr (kCount == 2) {
    double pair;
    std::memcpy(&pair, p, sizeof(pair));
    return hn::BitCast(kD, hn::Set(hn::ScalableTag<double>(), pair));
  } else {
    return hn::LoadDup128(kD, p);
  }
}

// Adds the products of the next kCount values of each row, and moves on.
template <size_t kValues, size_t kCount, size_t kVectors, size_t kRows, size_t... kRow>
HWY_INLINE void AddValues(V (&sum0)[kRows], V (&sum1)[kRows], V (&sum2)[kRows], const float*& w, const char*& p0,
                          const char*& p1, const char*& p2, const char*& p3, size_t s, size_t s3,
                          std::index_sequence<kRow...>) {
  const V w0 = hn::LoadU(kD, w), w1 = hn::LoadU(kD, w + kLanes);
  const V w2 = hn::LoadU(kD, w + (kVectors - 1) * kLanes);
  (
      [&]() HWY_ATTR {
        const V x = BroadcastValues<kValues, kCount>(RowOf<kRow>(p0, p1, p2, p3, s, s3));
        sum0[kRow] = hn::MulAdd(x, w0, sum0[kRow]);
        sum1[kRow] = hn::MulAdd(x, w1, sum1[kRow]);
        if constexpr (kVectors == 3) sum2[kRow] = hn::MulAdd(x, w2, sum2[kRow]);
      }(),
      ...);
  w += kVectors * kLanes;
  p0 += kCount * sizeof(float);
  p1 += kCount * sizeof(float);
  p2 += kCount * sizeof(float);
  p3 += kCount * sizeof(float);
  asm("" : "+r"(p0), "+r"(p1), "+r"(p2), "+r"(p3));  // see RunMatrixTile
}

// As RunMatrixTile; t.w is the result of PackNarrow.
template <size_t kValues, size_t kVectors, size_t... kRow>
HWY_NOINLINE void RunNarrowTile(const MatrixTile& t, const TileResult& result, std::index_sequence<kRow...> rows) {
  V sum0[sizeof...(kRow)], sum1[sizeof...(kRow)], sum2[sizeof...(kRow)];
  ((sum0[kRow] = hn::Zero(kD)), ...);
  ((sum1[kRow] = hn::Zero(kD)), ...);
  ((sum2[kRow] = hn::Zero(kD)), ...);
  const float* w = t.w;
  const size_t s = t.x_row * sizeof(float), s3 = 3 * s;
  for (size_t outer = 0; outer < t.num_outer; ++outer) {
    const char* ahead = reinterpret_cast<const char*>(t.prefetch + outer * t.prefetch_stride);
    for (size_t inner = 0; inner < t.num_inner; ++inner) {
      const char* p0 = reinterpret_cast<const char*>(t.x + outer * t.outer_stride + inner * t.inner_stride);
      const char* p1 = p0 + 4 * s;
      const char* p2 = p0 + 8 * s;
      const char* p3 = p0 + 12 * s;
      for (size_t k = t.run_length / kValues; k != 0; --k) {
        hwy::Prefetch(ahead);
        ahead += 64;
        AddValues<kValues, kValues, kVectors>(sum0, sum1, sum2, w, p0, p1, p2, p3, s, s3, rows);
      }
      for (size_t k = t.run_length % kValues; k != 0; --k) {
        AddValues<kValues, 1, kVectors>(sum0, sum1, sum2, w, p0, p1, p2, p3, s, s3, rows);
      }
    }
  }
  if constexpr (kVectors == 3) {
    ((sum0[kRow] = AddNeighbours(sum0[kRow], sum1[kRow])), ...);
    ((sum1[kRow] = AddNeighbours(sum2[kRow], sum2[kRow])), ...);
  } else {
    ((sum0[kRow] = AddNeighbours(sum0[kRow], sum1[kRow])), ...);
  }
  if constexpr (kValues == 4) {
    ((sum0[kRow] = AddNeighbours(sum0[kRow], kVectors == 3 ? sum1[kRow] : sum0[kRow])), ...);
  }
  FinishTile<kValues == 2 && kVectors == 3 ? 2 : 1>(sum0, sum1, result, rows);
}

template <size_t kValues, size_t kVectors, size_t kRows>
HWY_INLINE void RunNarrowTileOf(const MatrixTile& t, const TileResult& result) {
  RunNarrowTile<kValues, kVectors>(t, result, std::make_index_sequence<kRows>());
}

using RunTile = void (*)(const MatrixTile&, const TileResult&);

// rows <= shape.tile_rows().
HWY_INLINE void RunNarrowTile(const NarrowShape& shape, const MatrixTile& t, size_t rows, const TileResult& result) {
  struct Tables {
    RunTile two_by_two[kTileRows], two_by_three[9], four_by_two[kTileRows], four_by_three[9];
  };
  constexpr auto kTables =
      []<size_t... kRow, size_t... kFewerRow>(std::index_sequence<kRow...>, std::index_sequence<kFewerRow...>) {
    return Tables{{RunNarrowTileOf<2, 2, kRow + 1>...},
                  {RunNarrowTileOf<2, 3, kFewerRow + 1>...},
                  {RunNarrowTileOf<4, 2, kRow + 1>...},
                  {RunNarrowTileOf<4, 3, kFewerRow + 1>...}};
  }
  (std::make_index_sequence<kTileRows>(), std::make_index_sequence<HWY_MIN(kTileRows, 9)>());
  static constexpr Tables kRun = kTables;
  const RunTile* two = shape.vectors == 3 ? kRun.two_by_three : kRun.two_by_two;
  const RunTile* four = shape.vectors == 3 ? kRun.four_by_three : kRun.four_by_two;
  (shape.values == 2 ? two : four)[rows - 1](t, result);
}

#else

HWY_INLINE size_t NarrowFloats(const NarrowShape&, size_t, size_t) { return 0; }
HWY_INLINE void PackNarrow(const NarrowShape&, const float*, size_t, size_t, float*) {}
HWY_INLINE void RunNarrowTile(const NarrowShape&, const MatrixTile&, size_t, const TileResult&) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
