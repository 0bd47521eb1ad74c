// conv_transpose as a matrix product whose columns are (ky, kx, o); the results of each tile are then scattered.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/conv_transpose.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/bf16_unit.h"
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/matrix_tile-inl.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Of `rows` rows the first `width` values, y_ld apart in y.
template <typename T>
HWY_INLINE void StoreRuns(const float* sums, size_t sums_ld, size_t rows, size_t width, T* y, size_t y_ld) {
#if HWY_TARGET != HWY_SCALAR
  if (width == 2 && y_ld == 2 && sums_ld == 4) {
    // As in the last layer of det: the results of a row of pixels lie side by side.
    using D64 = hn::Repartition<uint64_t, D>;
    size_t r = 0;
    for (; r + kLanes / 2 <= rows; r += kLanes / 2, sums += 2 * kLanes, y += kLanes) {
      const auto low = hn::BitCast(D64(), LoadWhole(sums)), high = hn::BitCast(D64(), LoadWhole(sums + kLanes));
      StoreWhole(hn::BitCast(kD, hn::ConcatEven(D64(), high, low)), y);
    }
    rows -= r;
  }
#endif
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < width; c += kLanes)
      StorePart(LoadPart(sums + r * sums_ld + c, width - c), y + r * y_ld + c, width - c);
  }
}

// What becomes of a tile's sums of input pixels [ix, ix + count) of input row `row`, counted over all images, and of
// columns [column, column + columns) of a panel. They are changed, `panel` floats from pixel to pixel.
template <typename T>
HWY_NOINLINE void FinishTile(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o, size_t row,
                             size_t ix, size_t count, size_t column, size_t columns, size_t panel, float* sums) {
  const size_t image = row / p.ih, iy = row % p.ih;
  const size_t ow = size_t{p.iw} * p.kw;
  // Bias and activation are the same for whole rows of columns; only what differs by pixel is done tap by tap.
  EpilogueParams by_column = e, by_tap{};
  by_column.has_gate = by_column.has_residual = 0;
  by_tap.has_gate = e.has_gate;
  by_tap.has_residual = e.has_residual;
  by_tap.residual_ld = e.residual_ld;
  const bool has_tap_parts = e.has_gate || e.has_residual;
  // Results of one input pixel and ky that lie side by side in y.
  const size_t run = p.y_ld == p.oc && !has_tap_parts ? size_t{p.kw} * p.oc : p.oc;
  EpilogueBlock whole = EpilogueAt(by_column, o, 0, 0, column, 0);
  size_t sums_ld = panel;
  if (columns <= kLanes / 2) {
    // Few columns, as in the last layer of det: rows moved together, so that no lane of the activation is idle.
    // Each store's surplus lanes are overwritten by the next row.
    sums_ld = columns;
    const V bias = whole.bias ? LoadPart(whole.bias, columns) : hn::Zero(kD);
    for (size_t r = 0; r < count; ++r) {
      hn::StoreU(hn::Add(hn::Load(kD, sums + r * panel), bias), kD, sums + r * columns);
    }
    whole.bias = nullptr;
    whole.rows = 1;
    whole.columns = count * columns;
  } else {
    whole.rows = count;
    whole.columns = columns;
  }
  whole.sums = whole.y = sums;
  whole.sums_ld = whole.y_ld = sums_ld;
  ApplyEpilogue(whole, by_column);

  for (size_t c = 0; c < columns;) {
    const size_t from = (column + c) % run, width = std::min(columns - c, run - from);
    const size_t ky = (column + c) / (size_t{p.kw} * p.oc), kx = (column + c) % (size_t{p.kw} * p.oc) / p.oc;
    const size_t pixel = ((image * p.ih + iy) * p.kh + ky) * ow + ix * p.kw + kx;
    const size_t first = (column + c) % p.oc;
    T* y = Values<T>(o.writes[0]) + pixel * p.y_ld + first;
    if (has_tap_parts) {
      EpilogueBlockOf<float, T> block = EpilogueAt<float, T>(by_tap, o, image, pixel, first, p.oc);
      block.sums = sums + c;
      block.sums_ld = sums_ld;
      block.y = y;
      block.y_ld = size_t{p.kw} * p.y_ld;
      block.residual_ld *= p.kw;
      block.rows = count;
      block.columns = width;
      ApplyEpilogue(block, by_tap);
    } else {
      StoreRuns(sums + c, sums_ld, count, width, y, size_t{p.kw} * p.y_ld);
    }
    c += width;
  }
}

// Input pixels [begin, end) of input row `row`, counted over all images.
HWY_NOINLINE void ConvTransposeRow(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o,
                                   size_t row, size_t begin, size_t end) {
  HWY_ALIGN float sums[kTileRows * kPanel];
  const size_t all_columns = size_t{p.kh} * p.kw * p.oc;
  for (size_t column = 0; column < all_columns; column += kPanel) {
    const size_t columns = std::min(kPanel, all_columns - column);
    ForEachTile(begin, end, [&](size_t ix, size_t count) HWY_ATTR {
      MatrixTile tile;
      tile.x = Values<float>(o.reads[0]) + (row * p.iw + ix) * p.x_ld;
      tile.x_row = p.x_ld;
      tile.num_outer = tile.num_inner = 1;
      tile.outer_stride = tile.inner_stride = 0;
      tile.run_length = p.ic;
      tile.w = Values<float>(o.weights[0]) + column * p.ic;
      tile.prefetch = tile.x + (column == 0 ? count * p.x_ld : 0);
      tile.prefetch_stride = 0;
      TileResult result{};
      result.sums = sums;
      result.columns = columns;
      RunMatrixTile(tile, count, result);
      FinishTile<float>(p, e, o, row, ix, count, column, columns, kPanel, sums);
    });
  }
}

// For an input row, and what the unit reads beyond it. Only steps in bf16 need it.
size_t ConvTransposeScratch(const ConvTransposeParams& p, const EpilogueParams&) {
  if (p.weights_form != INKREAD_WEIGHTS_BF16) return 0;
  return DivideUp((size_t{p.iw} + kBf16MaxRows) * RoundUp(p.ic, 2) + kBf16Chunk, 2);
}

// The same by a unit for bf16. x is the thread's scratch.
HWY_NOINLINE void ConvTransposeRowBf16(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o,
                                       const Bf16Unit& unit, size_t row, uint16_t* x) {
  HWY_ALIGN float sums[kBf16MaxRows * kBf16Panel];
  const size_t all_columns = size_t{p.kh} * p.kw * p.oc;
  const size_t channels = RoundUp(p.ic, 2), values = p.iw * channels;
  CopyPixels(Values<uint16_t>(o.reads[0]) + row * p.iw * p.x_ld, p.x_ld, p.ic, p.iw, x);
  std::memset(x + values, 0, kBf16Chunk * sizeof(uint16_t));
  Bf16Tile tile;
  tile.x_row = channels;
  tile.num_runs = 1;
  tile.run_stride = 0;
  tile.num_pairs = channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  tile.sums = sums;
  for (size_t column = 0; column < all_columns; column += kBf16Panel) {
    tile.w = Values<uint16_t>(o.weights[0]) + column * tile.num_chunks * kBf16Chunk;
    tile.columns = std::min(kBf16Panel, all_columns - column);
    for (size_t ix = 0; ix < p.iw; ix += unit.tile_rows) {
      tile.x = x + ix * channels;
      tile.rows = std::min<size_t>(unit.tile_rows, p.iw - ix);
      unit.multiply(tile);
      FinishTile<Bf16>(p, e, o, row, ix, tile.rows, column, tile.columns, kBf16Panel, sums);
    }
  }
}

// Input rows [begin, end), counted over all images.
void ConvTransposeRows(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o,
                       const Bf16Unit* unit, size_t begin, size_t end, float* scratch) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) {
    unit->begin();
    for (size_t row = begin; row < end; ++row)
      ConvTransposeRowBf16(p, e, o, *unit, row, reinterpret_cast<uint16_t*>(scratch));
    unit->end();
  } else {
    for (size_t row = begin; row < end; ++row) ConvTransposeRow(p, e, o, row, 0, p.iw);
  }
}

void ConvTransposeStep(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o,
                       const Bf16Unit* unit, ThreadPool& pool) {
  if (p.iw == 0 || p.oc == 0) return;
  const size_t row_work = size_t{p.iw} * std::max<size_t>(p.ic, 1) * p.kh * p.kw * p.oc;
  ParallelBlocks(
      pool, size_t{p.n} * p.ih, row_work, ConvTransposeScratch(p, e),
      [&](size_t begin, size_t end, float* scratch) { ConvTransposeRows(p, e, o, unit, begin, end, scratch); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(ConvTransposeStep);
void RunStep(const ConvTransposeParams& p, const EpilogueParams& epilogue, const HostOperands& o,
             const Context& context) {
  HWY_DISPATCH_TABLE(ConvTransposeStep)[context.target](p, epilogue, o, context.bf16, *context.pool);
}

HWY_EXPORT(ConvTransposeRows);
void RunRows(const ConvTransposeParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin,
             size_t end, const Context& context, float* scratch) {
  HWY_DISPATCH_TABLE(ConvTransposeRows)[context.target](p, epilogue, o, context.bf16, begin, end, scratch);
}

INKREAD_CPU_THREAD_SCRATCH(ConvTransposeParams, ConvTransposeScratch)

}  // namespace inkread::cpu
#endif
