// conv as an implicit matrix product: tiles of pixels of one output row, whose windows are at a fixed distance in x,
// times panels of weights. Tiles whose windows reach outside x read a padded copy of the part that they need.
#include <algorithm>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/conv.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/bf16_kernels.h"
#include "backends/cpu/conv_share.h"
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/matrix_tile-inl.h"
#include "backends/cpu/narrow_tile-inl.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

uint32_t ConvPanelOfTarget() { return kPanel; }

// The part of the windows of output row oy that lies inside x.
struct WindowRows {
  size_t first_iy, first_ky, count;
};

HWY_INLINE WindowRows WindowRowsOf(const ConvParams& p, size_t oy) {
  const ptrdiff_t top = static_cast<ptrdiff_t>(oy * p.stride_h) - static_cast<ptrdiff_t>(p.pad_top);
  const ptrdiff_t first = std::max<ptrdiff_t>(top, 0);
  const ptrdiff_t last = std::min<ptrdiff_t>(top + p.kh, p.ih);
  if (last <= first) return {0, 0, 0};
  return {static_cast<size_t>(first), static_cast<size_t>(first - top), static_cast<size_t>(last - first)};
}

// Copies the windows of `count` pixels from ox on, zeros for what is outside x: [rows, width, ic] dense.
HWY_NOINLINE void PadWindows(const ConvParams& p, const float* row_x, size_t num_rows, size_t ox, size_t width,
                             float* to) {
  const ptrdiff_t left = static_cast<ptrdiff_t>(ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
  for (size_t y = 0; y < num_rows; ++y) {
    for (size_t i = 0; i < width; ++i, to += p.ic) {
      const ptrdiff_t ix = left + static_cast<ptrdiff_t>(i);
      if (ix < 0 || ix >= static_cast<ptrdiff_t>(p.iw)) {
        std::memset(to, 0, p.ic * sizeof(float));
      } else {
        std::memcpy(to, row_x + (y * p.iw + ix) * p.x_ld, p.ic * sizeof(float));
      }
    }
  }
}

// How a window's row is cut into runs of values that lie side by side in x. Padded copies of x are cut the same way, so
// that narrow tiles add their values in the same order.
struct WindowRuns {
  size_t per_row, length;
};

HWY_INLINE WindowRuns RunsOf(const ConvParams& p) {
  if (p.x_ld == p.ic) return {1, size_t{p.kw} * p.ic};
  return {p.kw, p.ic};
}

// What a thread keeps in its scratch: the padded windows of a tile, and the last panel's weights for narrow tiles.
struct ConvScratch {
  float* padded = nullptr;   // PadWindows of a tile
  NarrowShape narrow{0, 0};  // of the last panel
  const float* narrow_w = nullptr;
  size_t narrow_row_floats = 0;  // of a row of the window
};

HWY_INLINE size_t PaddedFloats(const ConvParams& p) {
  return RoundUp(((kTileRows - 1) * p.stride_w + p.kw) * p.kh * p.ic, kLanes);
}

// Of a row of the window of the last panel; 0 if the usual tiles serve it.
HWY_INLINE size_t NarrowRowFloats(const ConvParams& p, const NarrowShape& narrow) {
  const WindowRuns runs = RunsOf(p);
  return narrow.vectors == 0 ? 0 : NarrowFloats(narrow, runs.per_row, runs.length);
}

HWY_INLINE size_t LastPanel(const ConvParams& p) { return DivideUp(p.oc, kPanel) - 1; }

size_t ConvScratchFloats(const ConvParams& p, const EpilogueParams&) {
  if (p.oc == 0) return 0;
  return PaddedFloats(p) + p.kh * NarrowRowFloats(p, NarrowShapeOf(p.oc - LastPanel(p) * kPanel));
}

// has_last_panel  whether the last panel's weights are needed
HWY_INLINE ConvScratch MakeScratch(const ConvParams& p, const HostOperands& o, bool has_last_panel, float* floats) {
  ConvScratch scratch{};
  scratch.padded = floats;
  if (has_last_panel) scratch.narrow = NarrowShapeOf(p.oc - LastPanel(p) * kPanel);
  if (scratch.narrow.vectors != 0) {
    const WindowRuns runs = RunsOf(p);
    scratch.narrow_row_floats = NarrowRowFloats(p, scratch.narrow);
    float* narrow_w = scratch.padded + PaddedFloats(p);
    const float* w = Values<float>(o.weights[0]) + LastPanel(p) * p.kh * p.kw * p.ic * kPanel;
    PackNarrow(scratch.narrow, w, p.kh * runs.per_row, runs.length, narrow_w);
    scratch.narrow_w = narrow_w;
  }
  return scratch;
}

// Pixels [begin, end) of output row oy of an image, panels [first_panel, last_panel).
HWY_NOINLINE void ConvRow(const ConvParams& p, const EpilogueParams& e, const HostOperands& o, size_t image, size_t oy,
                          size_t begin, size_t end, size_t first_panel, size_t last_panel, const ConvScratch& scratch) {
  HWY_ALIGN float sums[kTileRows * kPanel];
  // Clamping activations are cheap enough to be part of the tile's store.
  const bool is_relu = e.activation == INKREAD_ACTIVATION_RELU;
  const bool is_simple = e.activation == INKREAD_ACTIVATION_NONE || is_relu || e.activation == INKREAD_ACTIVATION_CLIP;
  const float limits[2] = {is_relu ? 0.0f : e.alpha, is_relu ? std::numeric_limits<float>::infinity() : e.beta};
  const WindowRows rows = WindowRowsOf(p, oy);
  const float* row_x = Values<float>(o.reads[0]) + (image * p.ih + rows.first_iy) * p.iw * p.x_ld;
  const size_t values = size_t{p.kh} * p.kw * p.ic;
  const size_t skipped = rows.first_ky * p.kw * p.ic;
  constexpr size_t kLineFloats = 64 / sizeof(float);
  constexpr size_t kNearWeights = (512 << 10) / sizeof(float);  // more than this is not in a near cache when it starts
  const bool has_far_weights = values * p.oc > kNearWeights;
  const bool has_far_results = LiePagesApart(p.y_ld * sizeof(float));
  const WindowRuns runs = RunsOf(p);
  const float* all_w = Values<float>(o.weights[0]);
  float* all_y = Values<float>(o.writes[0]);
  for (size_t panel = first_panel; panel < last_panel; ++panel) {
    const float* w = all_w + (panel * values + skipped) * kPanel;
    const size_t column = panel * kPanel;
    const size_t columns = std::min<size_t>(kPanel, p.oc - column);
    const bool is_narrow = scratch.narrow.vectors != 0 && (panel + 1) * kPanel >= p.oc;
    if (is_narrow) w = scratch.narrow_w + rows.first_ky * scratch.narrow_row_floats;
    const size_t tile_rows = is_narrow ? scratch.narrow.tile_rows() : kTileRows;
    const auto run_tile = [&](const MatrixTile& tile, size_t count, const TileResult& result) HWY_ATTR {
      if (is_narrow) return RunNarrowTile(scratch.narrow, tile, count, result);
      RunMatrixTile(tile, count, result);
    };
    ForEachTile(begin, end, tile_rows, [&](size_t ox, size_t count) HWY_ATTR {
      const ptrdiff_t left = static_cast<ptrdiff_t>(ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
      const size_t width = (count - 1) * p.stride_w + p.kw;
      MatrixTile tile;
      tile.num_outer = rows.count;
      tile.w = w;
      const bool is_inside = left >= 0 && left + width <= p.iw;
      const size_t ld = is_inside ? p.x_ld : p.ic;
      if (is_inside) {
        tile.x = row_x + left * p.x_ld;
        tile.outer_stride = p.iw * p.x_ld;
      } else {
        PadWindows(p, row_x, rows.count, ox, width, scratch.padded);
        tile.x = scratch.padded;
        tile.outer_stride = width * p.ic;
      }
      tile.x_row = p.stride_w * ld;
      tile.num_inner = runs.per_row;
      tile.inner_stride = ld;
      tile.run_length = runs.length;
      tile.prefetch = tile.x;
      tile.prefetch_stride = tile.outer_stride;
      if (panel == first_panel) {
        if (is_inside) tile.prefetch += count * tile.x_row;  // the next tile's part of x, in the first pass over it
      } else if (has_far_weights) {                          // then the next panel's, a share with each tile
        tile.prefetch = all_w + (panel + 1) * values * kPanel + (ox - begin) / tile_rows * values * kLineFloats;
        tile.prefetch_stride = size_t{p.kw} * p.ic * kLineFloats;
      }

      const size_t pixel = (image * p.oh + oy) * p.ow + ox;
      EpilogueBlock block = EpilogueAt(e, o, image, pixel, column, p.oc);
      block.sums = sums;
      block.sums_ld = kPanel;
      block.y = all_y + pixel * p.y_ld + column;
      block.y_ld = p.y_ld;
      block.rows = count;
      block.columns = columns;
      if (has_far_results) {
        for (size_t i = 0; i < count; ++i) FetchToWrite(block.y + i * block.y_ld, columns);
      }
      TileResult result{};
      result.columns = columns;
      if (is_simple) {
        result.y = block.y;
        result.y_ld = block.y_ld;
        result.bias = block.bias;
        result.clamp = e.activation == INKREAD_ACTIVATION_NONE ? nullptr : limits;
        result.gate = block.gate;
        result.residual = block.residual;
        result.residual_ld = block.residual_ld;
        run_tile(tile, count, result);
      } else {
        result.sums = sums;
        run_tile(tile, count, result);
        ApplyEpilogue(block, e);
      }
    });
  }
}

// A segment's part of x stays in the second-level cache while all panels pass over it.
HWY_INLINE size_t SegmentsOf(const ConvParams& p, size_t pixels) {
  constexpr size_t kSegmentBytes = 256 << 10;
  const size_t pixel_bytes = std::max<size_t>(1, size_t{p.ic} * p.kh * p.stride_w * sizeof(float));
  const size_t segment_tiles = std::clamp<size_t>(kSegmentBytes / pixel_bytes / kTileRows, 1, 16);
  return DivideUp(pixels, segment_tiles * kTileRows);
}

void ConvRows(const ConvParams& params, const EpilogueParams& e, const HostOperands& o, size_t begin, size_t end,
              float* floats) {
  ConvParams p = params;
  const size_t panels = DivideUp(p.oc, kPanel);
  if (panels == 0) return;
  const ConvScratch scratch = MakeScratch(p, o, true, floats);
  const auto run_row = [&](size_t row, size_t from, size_t to) {
    const size_t segments = SegmentsOf(p, to - from);
    for (size_t s = 0; s < segments; ++s) {
      ConvRow(p, e, o, 0, row, from + (to - from) * s / segments, from + (to - from) * (s + 1) / segments, 0, panels,
              scratch);
    }
  };
  if (IsPointwise(params)) {
    p = AsOneRow(params, params.oh);
    run_row(0, begin * params.ow, end * params.ow);
  } else {
    for (size_t row = begin; row < end; ++row) run_row(row, 0, p.ow);
  }
}

void ConvStep(const ConvParams& params, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  const ConvParams p = IsPointwise(params) ? AsOneRow(params, params.oh) : params;
  const size_t rows = size_t{p.n} * p.oh;
  const size_t panels = DivideUp(p.oc, kPanel);
  if (rows == 0 || p.ow == 0 || panels == 0) return;
  const size_t segments_per_row = SegmentsOf(p, p.ow);
  const size_t segments = rows * segments_per_row;
  const size_t total_work = rows * p.ow * p.oc * p.kh * p.kw * p.ic;
  const ConvShare share = ShareConv(pool, segments, panels, total_work);
  const size_t segment_groups = share.block_groups, panel_groups = share.panel_groups;
  const size_t tasks = segment_groups * panel_groups;
  ParallelFor(pool, tasks, ConvScratchFloats(p, e), [&](size_t task, float* floats) {
    const size_t group = task / panel_groups, panel_group = task % panel_groups;
    const size_t first_panel = panels * panel_group / panel_groups;
    const size_t last_panel = panels * (panel_group + 1) / panel_groups;
    const ConvScratch scratch = MakeScratch(p, o, last_panel == panels, floats);
    for (size_t s = segments * group / segment_groups; s < segments * (group + 1) / segment_groups; ++s) {
      const size_t row = s / segments_per_row, segment = s % segments_per_row;
      ConvRow(p, e, o, row / p.oh, row % p.oh, p.ow * segment / segments_per_row,
              p.ow * (segment + 1) / segments_per_row, first_panel, last_panel, scratch);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(ConvStep);
void RunStep(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return RunBf16Step(p, epilogue, o, context);
  HWY_DISPATCH_TABLE(ConvStep)[context.target](p, epilogue, o, *context.pool);
}

HWY_EXPORT(ConvRows);
void RunRows(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end,
             const Context& context, float* scratch) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return RunBf16Rows(p, epilogue, o, begin, end, context, scratch);
  HWY_DISPATCH_TABLE(ConvRows)[context.target](p, epilogue, o, begin, end, scratch);
}

HWY_EXPORT(ConvScratchFloats);
ScratchFloats ScratchOf(const ConvParams& p, const Step& step, const Context& context) {
  if (p.weights_form == INKREAD_WEIGHTS_BF16) return Bf16ScratchOf(p, context);
  return {.thread = HWY_DISPATCH_TABLE(ConvScratchFloats)[context.target](p, step.epilogue)};
}

HWY_EXPORT(ConvPanelOfTarget);
uint32_t ConvPanel(size_t target) { return HWY_DISPATCH_TABLE(ConvPanelOfTarget)[target](); }

}  // namespace inkread::cpu
#endif
