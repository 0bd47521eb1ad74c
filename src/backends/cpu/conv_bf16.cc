// conv in bf16 as an implicit matrix product. The unit reads x where it lies if a result needs one pixel alone; else
// what a block of results needs of x is copied once, with zeros where windows reach outside, so that each row of a
// window is one run. Then all panels of weights pass over it.
#include <algorithm>
#include <cstring>
#include <type_traits>

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

// While the unit works on one tile's sums, the vector units finish those of the tile before.
class TilePipeline {
 public:
  TilePipeline(const ConvParams& p, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit, size_t image)
      : p_(p), e_(e), o_(o), unit_(unit), image_(image) {}
  ~TilePipeline() { Finish(); }

  // tile  all but w's panel, columns and sums
  void Run(Bf16Tile& tile, size_t panel, const float* w, size_t pixel) {
    const size_t column = panel * kBf16Panel;
    tile.w = w;
    tile.columns = std::min<size_t>(kBf16Panel, p_.oc - column);
    tile.sums = sums_[turn_];
    Bf16* y = As<Bf16>(o_.writes[0]) + pixel * p_.y_ld + column;
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

// Panels that fit the nearest cache together pass over a tile of x one after another, so that its results are stored
// side by side.
HWY_INLINE size_t PanelsTogether(size_t panel_words) {
  constexpr size_t kNearBytes = 24 << 10;
  return std::max<size_t>(1, kNearBytes / std::max<size_t>(1, panel_words * sizeof(float)));
}

// Where a result needs one pixel alone, and an image is one row (AsOneRow). The unit reads x itself but for the last
// tile, behind which there may be anything.
HWY_NOINLINE void RunPointwiseBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o,
                                    const Bf16Unit& unit, const ConvBlock& b) {
  const size_t channels = RoundUp(p.ic, 2);
  Bf16Tile tile;
  tile.num_runs = 1;
  tile.run_stride = 0;
  tile.num_pairs = channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  const size_t panel_words = tile.num_chunks * (kBf16Chunk / 2) * kBf16Panel;
  const size_t behind = tile.num_chunks * kBf16Chunk - p.ic;  // values read behind a pixel's own
  const bool is_dense = p.x_ld == p.ic && channels == p.ic;
  uint16_t* copy = reinterpret_cast<uint16_t*>(ThreadScratch((kBf16MaxRows * channels + kBf16Chunk) / 2));
  TilePipeline pipeline(p, e, o, unit, b.image);
  const size_t group = PanelsTogether(panel_words);
  for (size_t first_panel = b.panel; first_panel < b.panel_end; first_panel += group) {
    const size_t end_panel = std::min(first_panel + group, b.panel_end);
    for (size_t ox = b.ox; ox < b.ox_end; ox += unit.tile_rows) {
      tile.rows = std::min<size_t>(unit.tile_rows, b.ox_end - ox);
      const size_t pixel = b.image * p.ow + ox;
      const uint16_t* x = As<uint16_t>(o.reads[0]) + pixel * p.x_ld;
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
        pipeline.Run(tile, panel, o.weights[0] + panel * panel_words, pixel);
    }
  }
}

HWY_NOINLINE void RunWindowBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o,
                                 const Bf16Unit& unit, const ConvBlock& b) {
  // x as [rows, width, channels], dense.
  const size_t channels = RoundUp(p.ic, 2);
  const size_t width = (b.ox_end - b.ox - 1) * p.stride_w + p.kw, pitch = width * channels;
  const size_t first_iy = FirstRow(p, b.oy), end_iy = std::max(first_iy, EndRow(p, b.oy_end - 1));
  const size_t values = (end_iy - first_iy) * pitch;
  // What surplus rows of a tile and surplus values of a chunk reach behind it; only the latter are multiplied.
  const size_t behind = kBf16MaxRows * p.stride_w * channels + RoundUp(p.kw * channels, kBf16Chunk);
  uint16_t* x = reinterpret_cast<uint16_t*>(ThreadScratch(DivideUp(values + behind, 2)));
  const ptrdiff_t left = static_cast<ptrdiff_t>(b.ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
  for (size_t iy = first_iy; iy < end_iy; ++iy) {
    CopyRow(p, As<uint16_t>(o.reads[0]) + (b.image * p.ih + iy) * p.iw * p.x_ld, left, width, channels,
            x + (iy - first_iy) * pitch);
  }
  std::memset(x + values, 0, kBf16Chunk * sizeof(uint16_t));

  Bf16Tile tile;
  tile.x_row = p.stride_w * channels;
  tile.run_stride = pitch;
  tile.num_pairs = p.kw * channels / 2;
  tile.num_chunks = DivideUp(tile.num_pairs, kBf16Chunk / 2);
  const size_t run_words = tile.num_chunks * (kBf16Chunk / 2) * kBf16Panel;
  TilePipeline pipeline(p, e, o, unit, b.image);
  const size_t group = PanelsTogether(p.kh * run_words);
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
          pipeline.Run(tile, panel, o.weights[0] + (panel * p.kh + first_ky) * run_words, pixel);
      }
    }
  }
}

void RunBlock(const ConvParams& p, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit,
              const ConvBlock& b) {
  IsPointwise(p) ? RunPointwiseBlock(p, e, o, unit, b) : RunWindowBlock(p, e, o, unit, b);
}

// How an image's results are cut into blocks whose x stays in the second-level cache.
class ConvBlocks {
 public:
  explicit ConvBlocks(const ConvParams& p, size_t oy, size_t oy_end) : oy_(oy), oy_end_(oy_end), ow_(p.ow) {
    // Windows over several rows want blocks of many, since neighbours copy some rows twice.
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
  ConvBlock At(size_t i) const {
    const size_t y = oy_ + i / blocks_x_ * rows_, x = i % blocks_x_ * columns_;
    return {0, y, std::min(y + rows_, oy_end_), x, std::min(x + columns_, ow_), 0, 0};
  }

 private:
  size_t oy_, oy_end_, ow_;
  size_t rows_, columns_, blocks_x_;
};

void ConvBf16Rows(const ConvParams& params, const EpilogueParams& e, const HostOperands& o, const Bf16Unit& unit,
                  size_t begin, size_t end) {
  ConvParams p = params;
  HostOperands rows = o;
  if (IsPointwise(params)) {
    p = AsOneRow(params, end - begin);
    const auto skip = [](auto*& operand, size_t values) {
      operand = reinterpret_cast<std::remove_reference_t<decltype(operand)>>(As<Bf16>(operand) + values);
    };
    skip(rows.reads[0], begin * params.iw * p.x_ld);
    skip(rows.writes[0], begin * params.ow * p.y_ld);
    if (e.has_residual) skip(rows.reads[2], begin * params.ow * e.residual_ld);
    begin = 0;
    end = 1;
  }
  if (p.ow == 0 || p.oc == 0 || begin == end) return;
  const ConvBlocks blocks(p, begin, end);
  unit.begin();
  for (size_t i = 0; i < blocks.count(); ++i) {
    ConvBlock block = blocks.At(i);
    block.panel_end = DivideUp(p.oc, kBf16Panel);
    RunBlock(p, e, rows, unit, block);
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
  ParallelFor(pool, block_groups * panel_groups, [&](size_t task) {
    const size_t group = task / panel_groups, panel_group = task % panel_groups;
    unit.begin();
    for (size_t i = blocks * group / block_groups; i < blocks * (group + 1) / block_groups; ++i) {
      ConvBlock block = image_blocks.At(i % image_blocks.count());
      block.image = i / image_blocks.count();
      block.panel = panels * panel_group / panel_groups;
      block.panel_end = panels * (panel_group + 1) / panel_groups;
      RunBlock(p, e, o, unit, block);
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
                 const Context& context) {
  HWY_DISPATCH_TABLE(ConvBf16Rows)[context.target](p, epilogue, o, *context.bf16, begin, end);
}

}  // namespace inkread::cpu
#endif
