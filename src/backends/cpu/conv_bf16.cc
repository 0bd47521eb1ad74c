// conv in bf16 as an implicit matrix product. If a result needs one pixel alone, the unit reads x in place. Else the
// part of x that a block of results needs is copied once, with zeros where windows reach outside, so that each row of a
// window is one run. Then all panels of weights pass over it.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/conv_bf16.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/bf16_kernels.h"
#include "backends/cpu/bf16_unit.h"
#include "backends/cpu/conv_share.h"
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// A part of one image's results, whole rows or part of one.
struct ConvBlock {
  size_t image;
  size_t oy, oy_end, ox, ox_end;
  size_t panel, panel_end;
};

// The rows of x under the windows of output row oy, cut at x's edges.
HWY_INLINE size_t FirstRow(const ConvParams& p, size_t oy) {
  const size_t first = oy * p.stride_h;
  return first > p.pad_top ? std::min<size_t>(first - p.pad_top, p.ih) : 0;
}
HWY_INLINE size_t EndRow(const ConvParams& p, size_t oy) {
  const size_t end = oy * p.stride_h + p.kh;
  return end > p.pad_top ? std::min<size_t>(end - p.pad_top, p.ih) : 0;
}

// `width` pixels of a row of x from `left` on, which may be outside.
HWY_NOINLINE void CopyRow(const ConvParams& p, const uint16_t* x, ptrdiff_t left, size_t width, size_t channels,
                          uint16_t* to) {
  const ptrdiff_t right = left + static_cast<ptrdiff_t>(width);
  const ptrdiff_t begin = std::clamp<ptrdiff_t>(0, left, right);
  const ptrdiff_t end = std::clamp<ptrdiff_t>(p.iw, begin, right);
  const auto zero = [&](ptrdiff_t from, ptrdiff_t until) {
    if (until > from) std::memset(to + (from - left) * channels, 0, (until - from) * channels * sizeof(uint16_t));
  };
  zero(left, begin);
  if (end > begin) CopyPixels(x + begin * p.x_ld, p.x_ld, p.ic, end - begin, to + (begin - left) * channels);
  zero(end, right);
}

// While the unit multiplies one tile, the vector units finish the sums of the previous one.
class TilePipeline {
 public:
  TilePipeline(const ConvParams& p, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit, size_t image)
      : p_(p), e_(e), o_(o), unit_(unit), image_(image) {}
  ~TilePipeline() { Finish(); }

  // tile  complete but for w, columns and sums
  void Run(Bf16Tile& tile, size_t panel, const uint16_t* w, size_t pixel) {
    const size_t column = panel * kBf16Panel;
    tile.w = w;
    tile.columns = std::min<size_t>(kBf16Panel, p_.oc - column);
    tile.sums = sums_[turn_];
    Bf16* y = Values<Bf16>(o_.writes[0]) + pixel * p_.y_ld + column;
    if (LiePagesApart(p_.y_ld * sizeof(Bf16))) {
      for (size_t i = 0; i < tile.rows; ++i) FetchToWrite(y + i * p_.y_ld, tile.columns);
    }
    unit_.multiply(tile);
    Finish();
    before_ = EpilogueAt<float, Bf16>(e_, o_, image_, pixel, column, p_.oc);
    before_.sums = sums_[turn_];
    before_.sums_ld = kBf16Panel;
    before_.y = y;
    before_.y_ld = p_.y_ld;
    before_.rows = tile.rows;
    before_.columns = tile.columns;
    turn_ ^= 1;
  }

 private:
  void Finish() {
    if (before_.rows != 0) ApplyEpilogue(before_, e_);
  }

  const ConvParams& p_;
  const EpilogueParams& e_;
  const HostOperands& o_;
  const Bf16Unit& unit_;
  const size_t image_;
  HWY_ALIGN float sums_[2][kBf16MaxRows * kBf16Panel];
  size_t turn_ = 0;
  EpilogueBlockOf<float, Bf16> before_{};
};

// Panels that fit the first-level cache together pass over a tile of x one after another, so that its results are
// stored side by side.
HWY_INLINE size_t PanelsTogether(size_t panel_weights) {
  constexpr size_t kNearBytes = 24 << 10;
  return std::max<size_t>(1, kNearBytes / std::max<size_t>(1, panel_weights * sizeof(uint16_t)));
}

// The copy of one tile of x.
HWY_INLINE size_t PointwiseScratch(const ConvParams& p) { return (kBf16MaxRows * RoundUp(p.ic, 2) + kBf16Chunk) / 2; }

// If a result needs one pixel alone, and an image is one row (AsOneRow). The unit reads x itself but for the last tile,
// since what follows that may be infinity or NaN.
HWY_NOINLINE void RunPointwiseBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o,
                                    const Bf16Unit& unit, const ConvBlock& b, uint16_t* copy) {
  const size_t channels = RoundUp(p.ic, 2);
  Bf16Tile tile;
  tile.num_runs = 1;
  tile.run_stride = 0;
  tile.num_pairs = channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  const size_t panel_weights = tile.num_chunks * kBf16Chunk * kBf16Panel;
  const size_t behind = tile.num_chunks * kBf16Chunk - p.ic;  // values read behind a pixel's own
  const bool is_dense = p.x_ld == p.ic && channels == p.ic;
  const uint16_t* w = Values<uint16_t>(o.weights[0]);
  TilePipeline pipeline(p, e, o, unit, b.image);
  const size_t group = PanelsTogether(panel_weights);
  for (size_t first_panel = b.panel; first_panel < b.panel_end; first_panel += group) {
    const size_t end_panel = std::min(first_panel + group, b.panel_end);
    for (size_t ox = b.ox; ox < b.ox_end; ox += unit.tile_rows) {
      tile.rows = std::min<size_t>(unit.tile_rows, b.ox_end - ox);
      const size_t pixel = b.image * p.ow + ox;
      const uint16_t* x = Values<uint16_t>(o.reads[0]) + pixel * p.x_ld;
      const bool is_whole = tile.rows == unit.tile_rows;
      if (is_whole && (behind == 0 || (is_dense && (b.ox_end - ox - tile.rows) * p.ic >= behind))) {
        tile.x = x;
        tile.x_row = p.x_ld;
      } else {
        CopyPixels(x, p.x_ld, p.ic, tile.rows, copy);
        std::memset(copy + tile.rows * channels, 0, kBf16Chunk * sizeof(uint16_t));
        tile.x = copy;
        tile.x_row = channels;
      }
      for (size_t panel = first_panel; panel < end_panel; ++panel)
        pipeline.Run(tile, panel, w + panel * panel_weights, pixel);
    }
  }
}

// How far a tile's surplus rows and a chunk's surplus values reach behind a block's copy of x. Only the latter are
// multiplied, by weights of 0.
HWY_INLINE size_t ValuesBehind(const ConvParams& p) {
  const size_t channels = RoundUp(p.ic, 2);
  return kBf16MaxRows * p.stride_w * channels + RoundUp(p.kw * channels, kBf16Chunk);
}

// x  scratch for the block's part of x: [rows, width, channels], dense
HWY_NOINLINE void RunWindowBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o,
                                 const Bf16Unit& unit, const ConvBlock& b, uint16_t* x) {
  const size_t channels = RoundUp(p.ic, 2);
  const size_t width = (b.ox_end - b.ox - 1) * p.stride_w + p.kw, pitch = width * channels;
  const size_t first_iy = FirstRow(p, b.oy), end_iy = std::max(first_iy, EndRow(p, b.oy_end - 1));
  const size_t values = (end_iy - first_iy) * pitch;
  const ptrdiff_t left = static_cast<ptrdiff_t>(b.ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
  for (size_t iy = first_iy; iy < end_iy; ++iy) {
    CopyRow(p, Values<uint16_t>(o.reads[0]) + (b.image * p.ih + iy) * p.iw * p.x_ld, left, width, channels,
            x + (iy - first_iy) * pitch);
  }
  std::memset(x + values, 0, kBf16Chunk * sizeof(uint16_t));

  Bf16Tile tile;
  tile.x_row = p.stride_w * channels;
  tile.run_stride = pitch;
  tile.num_pairs = p.kw * channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  const size_t run_weights = tile.num_chunks * kBf16Chunk * kBf16Panel;
  const uint16_t* w = Values<uint16_t>(o.weights[0]);
  TilePipeline pipeline(p, e, o, unit, b.image);
  const size_t group = PanelsTogether(p.kh * run_weights);
  for (size_t first_panel = b.panel; first_panel < b.panel_end; first_panel += group) {
    const size_t end_panel = std::min(first_panel + group, b.panel_end);
    for (size_t oy = b.oy; oy < b.oy_end; ++oy) {
      const size_t first = FirstRow(p, oy), last = std::max(first, EndRow(p, oy));
      tile.num_runs = last - first;
      const size_t first_ky = tile.num_runs == 0 ? 0 : first + p.pad_top - oy * p.stride_h;
      for (size_t ox = b.ox; ox < b.ox_end; ox += unit.tile_rows) {
        tile.x = x + (first - first_iy) * pitch + (ox - b.ox) * tile.x_row;
        tile.rows = std::min<size_t>(unit.tile_rows, b.ox_end - ox);
        const size_t pixel = (b.image * p.oh + oy) * p.ow + ox;
        for (size_t panel = first_panel; panel < end_panel; ++panel)
          pipeline.Run(tile, panel, w + (panel * p.kh + first_ky) * run_weights, pixel);
      }
    }
  }
}

void RunBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit,
              const ConvBlock& b, float* scratch) {
  uint16_t* x = reinterpret_cast<uint16_t*>(scratch);
  IsPointwise(p) ? RunPointwiseBlock(p, e, o, unit, b, x) : RunWindowBlock(p, e, o, unit, b, x);
}

// How an image's results are cut into blocks whose x stays in the second-level cache.
class ConvBlocks {
 public:
  explicit ConvBlocks(const ConvParams& p, size_t oy, size_t oy_end) : oy_(oy), oy_end_(oy_end), ow_(p.ow) {
    // Windows of several rows need blocks of many rows, since neighbours copy some rows twice.
    const size_t block_bytes = (p.kh == 1 ? 128 : 384) << 10;
    const size_t pixel_bytes = std::max<size_t>(1, RoundUp(p.ic, 2) * p.stride_w * sizeof(uint16_t));
    const size_t rows_fit = std::max<size_t>(p.kh, block_bytes / (p.ow * pixel_bytes));
    rows_ = (rows_fit - p.kh) / p.stride_h + 1;
    columns_ = std::max<size_t>(1, block_bytes / (pixel_bytes * p.kh * kBf16MaxRows)) * kBf16MaxRows;
    columns_ = DivideUp(ow_, DivideUp(ow_, columns_));
    columns_ = std::min(ow_, RoundUp(columns_, kBf16MaxRows));
    blocks_x_ = DivideUp(ow_, columns_);
  }
  size_t count() const { return DivideUp(oy_end_ - oy_, rows_) * blocks_x_; }
  size_t rows() const { return rows_; }        // of a block, at most
  size_t columns() const { return columns_; }  // of a block, at most
  ConvBlock At(size_t i) const {
    const size_t y = oy_ + i / blocks_x_ * rows_, x = i % blocks_x_ * columns_;
    return {0, y, std::min(y + rows_, oy_end_), x, std::min(x + columns_, ow_), 0, 0};
  }

 private:
  size_t oy_, oy_end_, ow_;
  size_t rows_, columns_, blocks_x_;
};

// The copy of the largest block's part of x.
size_t ConvBf16Scratch(const ConvParams& p) {
  if (IsPointwise(p)) return PointwiseScratch(p);
  if (p.oh == 0 || p.ow == 0) return 0;
  const ConvBlocks blocks(p, 0, p.oh);
  const size_t rows = std::min<size_t>((std::min<size_t>(blocks.rows(), p.oh) - 1) * p.stride_h + p.kh, p.ih);
  const size_t width = (blocks.columns() - 1) * p.stride_w + p.kw;
  return DivideUp(rows * width * RoundUp(p.ic, 2) + ValuesBehind(p), 2);
}

void ConvBf16Rows(const ConvParams& params, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit,
                  size_t begin, size_t end, float* scratch) {
  ConvParams p = params;
  HostOperands rows = o;
  if (IsPointwise(params)) {
    p = AsOneRow(params, end - begin);
    rows.reads[0].data += begin * params.iw * p.x_ld * sizeof(Bf16);
    rows.writes[0].data += begin * params.ow * p.y_ld * sizeof(Bf16);
    if (e.has_residual) rows.reads[2].data += begin * params.ow * e.residual_ld * sizeof(Bf16);
    begin = 0;
    end = 1;
  }
  if (p.ow == 0 || p.oc == 0 || begin == end) return;
  const ConvBlocks blocks(p, begin, end);
  unit.begin();
  for (size_t i = 0; i < blocks.count(); ++i) {
    ConvBlock block = blocks.At(i);
    block.panel_end = DivideUp(p.oc, kBf16Panel);
    RunBlock(p, e, rows, unit, block, scratch);
  }
  unit.end();
}

void ConvBf16Step(const ConvParams& params, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit,
                  ThreadPool& pool) {
  const ConvParams p = IsPointwise(params) ? AsOneRow(params, params.oh) : params;
  const size_t panels = DivideUp(p.oc, kBf16Panel);
  if (p.n == 0 || p.oh == 0 || p.ow == 0 || panels == 0) return;
  const ConvBlocks image_blocks(p, 0, p.oh);
  const size_t blocks = p.n * image_blocks.count();
  // Products are cheap here: finishing results takes as long.
  const size_t pixel_work = size_t{p.oc} * (8 + size_t{p.kh} * p.kw * p.ic / 16);
  const size_t total_work = size_t{p.n} * p.oh * p.ow * pixel_work;
  const ConvShare share = ShareConv(pool, blocks, panels, total_work);
  const size_t block_groups = share.block_groups, panel_groups = share.panel_groups;
  ParallelFor(pool, block_groups * panel_groups, ConvBf16Scratch(p), [&](size_t task, float* scratch) {
    const size_t group = task / panel_groups, panel_group = task % panel_groups;
    unit.begin();
    for (size_t i = blocks * group / block_groups; i < blocks * (group + 1) / block_groups; ++i) {
      ConvBlock block = image_blocks.At(i % image_blocks.count());
      block.image = i / image_blocks.count();
      block.panel = panels * panel_group / panel_groups;
      block.panel_end = panels * (panel_group + 1) / panel_groups;
      RunBlock(p, e, o, unit, block, scratch);
    }
    unit.end();
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

HWY_EXPORT(ConvBf16Step);
void RunBf16Step(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, const Context& context) {
  HWY_DISPATCH_TABLE(ConvBf16Step)[context.target](p, epilogue, o, *context.bf16, *context.pool);
}

HWY_EXPORT(ConvBf16Rows);
void RunBf16Rows(const ConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin, size_t end,
                 const Context& context, float* scratch) {
  HWY_DISPATCH_TABLE(ConvBf16Rows)[context.target](p, epilogue, o, *context.bf16, begin, end, scratch);
}

HWY_EXPORT(ConvBf16Scratch);
ScratchFloats Bf16ScratchOf(const ConvParams& p, const Context& context) {
  return {.thread = HWY_DISPATCH_TABLE(ConvBf16Scratch)[context.target](p)};
}

}  // namespace inkread::cpu
#endif
