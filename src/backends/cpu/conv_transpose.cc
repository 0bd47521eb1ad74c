// conv_transpose as a matrix product whose columns are (ky, kx, o), each tile's results then sent to their places.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/conv_transpose.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/matrix_tile-inl.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Input pixels [begin, end) of input row `row`, counted over all images.
HWY_NOINLINE void ConvTransposeRow(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o,
                                   size_t row, size_t begin, size_t end) {
  HWY_ALIGN float sums[kTileRows * kPanel];
  const size_t image = row / p.ih, iy = row % p.ih;
  const size_t ow = size_t{p.iw} * p.kw;
  const size_t all_columns = size_t{p.kh} * p.kw * p.oc;
  // Bias and activation are the same for whole rows of columns; only what differs by pixel is done tap by tap.
  EpilogueParams by_column = e, by_tap{};
  by_column.has_gate = by_column.has_residual = 0;
  by_tap.has_gate = e.has_gate;
  by_tap.has_residual = e.has_residual;
  by_tap.residual_ld = e.residual_ld;
  const bool has_tap_parts = e.has_gate || e.has_residual;
  // Results of one input pixel and ky that lie side by side in y.
  const size_t run = p.y_ld == p.oc && !has_tap_parts ? size_t{p.kw} * p.oc : p.oc;
  for (size_t column = 0; column < all_columns; column += kPanel) {
    const size_t columns = std::min(kPanel, all_columns - column);
    ForEachTile(begin, end, [&](size_t ix, size_t count) HWY_ATTR {
      MatrixTile tile;
      tile.x = o.reads[0] + (row * p.iw + ix) * p.x_ld;
      tile.x_row = p.x_ld;
      tile.num_outer = tile.num_inner = 1;
      tile.outer_stride = tile.inner_stride = 0;
      tile.run_length = p.ic;
      tile.w = o.weights[0] + column * p.ic;
      tile.prefetch = tile.x + (column == 0 ? count * p.x_ld : 0);
      tile.prefetch_stride = 0;
      TileResult result{};
      result.sums = sums;
      result.columns = columns;
      RunMatrixTile(tile, count, result);

      EpilogueBlock whole = EpilogueAt(by_column, o, 0, 0, column, 0);
      size_t sums_ld = kPanel;
      if (columns <= kLanes / 2) {
        // Few columns, as in the last layer of det: rows moved together, so that no lane of the activation is idle.
        // Each store's surplus lanes are overwritten by the next row.
        sums_ld = columns;
        const V bias = whole.bias ? LoadPart(whole.bias, columns) : hn::Zero(kD);
        for (size_t r = 0; r < count; ++r) {
          hn::StoreU(hn::Add(hn::Load(kD, sums + r * kPanel), bias), kD, sums + r * columns);
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
        float* y = o.writes[0] + pixel * p.y_ld + first;
        if (has_tap_parts) {
          EpilogueBlock block = EpilogueAt(by_tap, o, image, pixel, first, p.oc);
          block.sums = sums + c;
          block.sums_ld = sums_ld;
          block.y = y;
          block.y_ld = size_t{p.kw} * p.y_ld;
          block.residual_ld *= p.kw;
          block.rows = count;
          block.columns = width;
          ApplyEpilogue(block, by_tap);
        } else if (width == 2) {
          for (size_t r = 0; r < count; ++r) {
            std::memcpy(y + r * p.kw * p.y_ld, sums + r * sums_ld + c, 2 * sizeof(float));
          }
        } else {
          for (size_t r = 0; r < count; ++r) std::copy_n(sums + r * sums_ld + c, width, y + r * p.kw * p.y_ld);
        }
        c += width;
      }
    });
  }
}

// Input rows [begin, end), counted over all images.
void ConvTransposeRows(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin,
                       size_t end) {
  for (size_t row = begin; row < end; ++row) ConvTransposeRow(p, e, o, row, 0, p.iw);
}

void ConvTransposeStep(const ConvTransposeParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  if (p.iw == 0 || p.oc == 0) return;
  const size_t row_work = size_t{p.iw} * std::max<size_t>(p.ic, 1) * p.kh * p.kw * p.oc;
  ParallelBlocks(pool, size_t{p.n} * p.ih, row_work,
                 [&](size_t begin, size_t end) { ConvTransposeRows(p, e, o, begin, end); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(ConvTransposeParams, ConvTransposeStep)
INKREAD_CPU_ROWS(ConvTransposeParams, ConvTransposeRows)

}  // namespace inkread::cpu
#endif
