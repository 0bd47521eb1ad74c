// depthwise_conv: vectors of channels, a few neighbouring output pixels at a time so that they share what they load.
#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/depthwise_conv.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Pixels of a block. Eight sums keep the multipliers busy; four serve the rest of a row.
inline constexpr size_t kBlockPixels = 8;
inline constexpr size_t kSmallBlockPixels = 4;

// The windows' rows that lie inside x, from the first pixel's first tap.
struct Windows {
  const float* x;
  size_t x_ld, row_stride;
  size_t num_rows;
  const float* w;  // of the first row
  size_t kw;       // the window's width in w
  size_t w_ld;     // floats from tap to tap
  size_t c;        // channels to do
  float* sums;     // [pixels, sums_ld], aligned
  size_t sums_ld;
};

// sizeof...(kPixel) windows that lie inside x from left to right.
template <size_t kKw, size_t kStride, size_t... kPixel>
HWY_INLINE void InsideBlock(const Windows& t, std::index_sequence<kPixel...>) {
  for (size_t c = 0; c < t.c; c += kLanes) {
    V sums[sizeof...(kPixel)];
    ((sums[kPixel] = hn::Zero(kD)), ...);
    const float* x = t.x + c;
    const float* w = t.w + c;
    for (size_t y = 0; y < t.num_rows; ++y) {
      HWY_UNROLL(16) for (size_t kx = 0; kx < kKw; ++kx) {
        const V weight = hn::LoadU(kD, w + kx * t.w_ld);
        ((sums[kPixel] = hn::MulAdd(hn::LoadU(kD, x + (kx + kPixel * kStride) * t.x_ld), weight, sums[kPixel])), ...);
      }
      x += t.row_stride;
      w += kKw * t.w_ld;
    }
    ((hn::Store(sums[kPixel], kD, t.sums + kPixel * t.sums_ld + c)), ...);
  }
}

template <size_t kKw, size_t kStride>
HWY_NOINLINE void BlockOf(const Windows& t) {
  InsideBlock<kKw, kStride>(t, std::make_index_sequence<kBlockPixels>());
}
template <size_t kKw, size_t kStride>
HWY_NOINLINE void SmallBlockOf(const Windows& t) {
  InsideBlock<kKw, kStride>(t, std::make_index_sequence<kSmallBlockPixels>());
}

// One window, of which the columns [first_kx, last_kx) lie inside x; t.x is where column 0 is or would be.
HWY_NOINLINE void OneWindow(const Windows& t, size_t first_kx, size_t last_kx) {
  for (size_t c = 0; c < t.c; c += kLanes) {
    V sum = hn::Zero(kD);
    for (size_t y = 0; y < t.num_rows; ++y) {
      for (size_t kx = first_kx; kx < last_kx; ++kx) {
        sum = hn::MulAdd(hn::LoadU(kD, t.x + y * t.row_stride + kx * t.x_ld + c),
                         hn::LoadU(kD, t.w + (y * t.kw + kx) * t.w_ld + c), sum);
      }
    }
    hn::Store(sum, kD, t.sums + c);
  }
}

struct BlockFunctions {
  void (*block)(const Windows&);
  void (*small_block)(const Windows&);
};

// Nulls where no block kernels are made for the window.
HWY_INLINE BlockFunctions BlocksFor(size_t kw, size_t stride_w) {
  if (stride_w == 1) {
    if (kw == 3) return {BlockOf<3, 1>, SmallBlockOf<3, 1>};
    if (kw == 5) return {BlockOf<5, 1>, SmallBlockOf<5, 1>};
    if (kw == 7) return {BlockOf<7, 1>, SmallBlockOf<7, 1>};
    if (kw == 9) return {BlockOf<9, 1>, SmallBlockOf<9, 1>};
  } else if (stride_w == 2) {
    if (kw == 3) return {BlockOf<3, 2>, SmallBlockOf<3, 2>};
    if (kw == 5) return {BlockOf<5, 2>, SmallBlockOf<5, 2>};
    if (kw == 7) return {BlockOf<7, 2>, SmallBlockOf<7, 2>};
  }
  return {nullptr, nullptr};
}

// Channels [begin, end) of one output row.
HWY_NOINLINE void DepthwiseRow(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o,
                               size_t image, size_t oy, size_t begin, size_t end) {
  const ptrdiff_t top = static_cast<ptrdiff_t>(oy * p.stride_h) - static_cast<ptrdiff_t>(p.pad_top);
  const ptrdiff_t first_iy = std::max<ptrdiff_t>(top, 0);
  const ptrdiff_t last_iy = std::max<ptrdiff_t>(first_iy, std::min<ptrdiff_t>(top + p.kh, p.ih));
  const BlockFunctions blocks = BlocksFor(p.kw, p.stride_w);
  Windows t;
  t.x_ld = p.x_ld;
  t.row_stride = size_t{p.iw} * p.x_ld;
  t.num_rows = static_cast<size_t>(last_iy - first_iy);
  t.w = o.weights[0] + (first_iy - top) * p.kw * p.c + begin;
  t.kw = p.kw;
  t.w_ld = p.c;
  t.c = end - begin;
  t.sums_ld = RoundUp(t.c, kLanes);
  t.sums = ThreadScratch(kBlockPixels * t.sums_ld);
  const float* x = o.reads[0] + begin;
  const ptrdiff_t row = (static_cast<ptrdiff_t>(image) * p.ih + first_iy) * p.iw;
  const size_t ahead = 2 * kBlockPixels * p.stride_w * p.x_ld;
  for (size_t ox = 0; ox < p.ow;) {
    const ptrdiff_t left = static_cast<ptrdiff_t>(ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
    // How many windows from here on lie inside x.
    const size_t inside = left < 0 || left + static_cast<ptrdiff_t>(p.kw) > static_cast<ptrdiff_t>(p.iw)
                              ? 0
                              : std::min<size_t>((p.iw - p.kw - left) / p.stride_w + 1, p.ow - ox);
    size_t count = 1;
    if (blocks.block != nullptr && inside >= kSmallBlockPixels) {
      count = inside >= kBlockPixels ? kBlockPixels : kSmallBlockPixels;
      t.x = x + (row + left) * static_cast<ptrdiff_t>(p.x_ld);
      const float* soon = t.x + (t.num_rows == 0 ? 0 : t.num_rows - 1) * t.row_stride + ahead;
      for (size_t i = 0; i < count * p.stride_w; ++i) FetchAhead(soon + i * p.x_ld, t.c);
      (count == kBlockPixels ? blocks.block : blocks.small_block)(t);
    } else {
      const ptrdiff_t first_kx = std::clamp<ptrdiff_t>(-left, 0, p.kw);
      const ptrdiff_t last_kx = std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(p.iw) - left, first_kx, p.kw);
      t.x = x + (row + left) * static_cast<ptrdiff_t>(p.x_ld);
      OneWindow(t, static_cast<size_t>(first_kx), static_cast<size_t>(last_kx));
    }
    const size_t pixel = (image * p.oh + oy) * p.ow + ox;
    EpilogueBlock block = EpilogueAt(e, o, image, pixel, begin, p.c);
    block.sums = t.sums;
    block.sums_ld = t.sums_ld;
    block.y = o.writes[0] + pixel * p.y_ld + begin;
    block.y_ld = p.y_ld;
    block.rows = count;
    block.columns = t.c;
    ApplyEpilogue(block, e);
    ox += count;
  }
}

// Output rows [begin, end), counted over all images.
void DepthwiseAllRows(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin,
                      size_t end) {
  // As many channels at a time as keep a block's windows in the nearest cache, since the next block shares most of
  // them; all at once where that would take so many passes over a row that they cost more (docs/decisions.md).
  constexpr size_t kNearFloats = (32 << 10) / sizeof(float);
  constexpr size_t kMaxPasses = 4;
  const size_t window = size_t{p.kh} * (size_t{kBlockPixels} * p.stride_w + p.kw);
  const size_t passes = std::max<size_t>(1, DivideUp(p.c, std::max(kNearFloats / window, kLanes)));
  const size_t channels = RoundUp(DivideUp(p.c, passes <= kMaxPasses ? passes : 1), kLanes);
  for (size_t row = begin; row < end; ++row) {
    for (size_t c = 0; c < p.c; c += channels) {
      DepthwiseRow(p, e, o, row / p.oh, row % p.oh, c, std::min<size_t>(c + channels, p.c));
    }
  }
}

void DepthwiseStep(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  // Moving a value costs about as much as the window's sum: small windows are bound by memory.
  const size_t row_work = size_t{p.ow} * p.c * (size_t{p.kh} * p.kw / 4 + 1);
  ParallelBlocks(pool, size_t{p.n} * p.oh, row_work,
                 [&](size_t begin, size_t end) { DepthwiseAllRows(p, e, o, begin, end); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(DepthwiseConvParams, DepthwiseStep)
INKREAD_CPU_ROWS(DepthwiseConvParams, DepthwiseAllRows)

}  // namespace inkread::cpu
#endif
