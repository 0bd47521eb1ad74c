// depthwise_conv: vectors of channels, a few neighbouring output pixels at a time so that they share what they load.
#include <algorithm>
#include <type_traits>
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

// Pixels of a block, of the blocks that serve the rest of a row, and of a block of two output rows, which share most of
// the rows that they read.
#if defined(INKREAD_CPU_SMALL_TILES)
// Sanitizers check each load: they took four minutes to compile the blocks below.
inline constexpr size_t kBlockPixels = 4, kSmallBlockPixels = 2, kPairPixels = 2;
#define INKREAD_UNROLL_TAPS
#else
inline constexpr size_t kBlockPixels = 8;  // eight sums keep the multipliers busy
inline constexpr size_t kSmallBlockPixels = 4;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
inline constexpr size_t kPairPixels = 8;  // 19 of 32 registers
#else
inline constexpr size_t kPairPixels = 4;  // 11 of 16
#endif
#define INKREAD_UNROLL_TAPS HWY_UNROLL(16)
#endif

// The rows of windows that are inside x, from the first pixel's first tap on. Elements of x are X, of y Y.
template <typename X, typename Y>
struct Windows {
  const X* x;
  size_t x_ld, row_stride;
  size_t num_rows;
  const float* w;  // of the first row
  size_t kw;       // the window's width in w
  size_t w_ld;     // floats from tap to tap
  size_t c;        // channels to do
  const float* bias;
  Y* y;
  size_t y_ld;
  size_t y_row;  // elements from output row to output row
};

template <typename X, typename Y, size_t kPixels, size_t... kPixel>
HWY_INLINE void FinishBlock(const Windows<X, Y>& t, size_t c, size_t part, V (&sums)[kPixels], Y* y,
                            std::index_sequence<kPixel...>) {
  if (t.bias != nullptr) {
    const V bias = LoadPart(t.bias + c, part);
    ((sums[kPixel] = hn::Add(sums[kPixel], bias)), ...);
  }
  y += c;
  const size_t y_ld = t.y_ld;
  ((StorePart(sums[kPixel], y + kPixel * y_ld, part)), ...);
}

// sizeof...(kPixel) windows that are inside x from left to right, channels from c on.
template <size_t kKw, size_t kStride, typename X, typename Y, size_t... kPixel>
HWY_INLINE void InsideBlockOfVector(const Windows<X, Y>& t, size_t c, size_t part,
                                    std::index_sequence<kPixel...> pixels) {
  V sums[sizeof...(kPixel)];
  ((sums[kPixel] = hn::Zero(kD)), ...);
  const size_t x_ld = t.x_ld, w_ld = t.w_ld, row_stride = t.row_stride;
  const X* x = t.x + c;
  const float* w = t.w + c;
  for (size_t rows = t.num_rows; rows != 0; --rows) {
    INKREAD_UNROLL_TAPS for (size_t kx = 0; kx < kKw; ++kx) {
      const V weight = hn::LoadU(kD, w);
      w += w_ld;
      ((sums[kPixel] = hn::MulAdd(LoadWhole(x + (kx + kPixel * kStride) * x_ld), weight, sums[kPixel])), ...);
    }
    x += row_stride;
  }
  FinishBlock(t, c, part, sums, t.y, pixels);
}

// The same for two output rows. stride_h is 1, and all rows of their windows are inside x. Sums add their products in
// the same order.
template <size_t kKw, size_t kStride, typename X, typename Y, size_t... kPixel>
HWY_INLINE void PairBlockOfVector(const Windows<X, Y>& t, size_t c, size_t part,
                                  std::index_sequence<kPixel...> pixels) {
  V sums0[sizeof...(kPixel)], sums1[sizeof...(kPixel)];
  ((sums0[kPixel] = hn::Zero(kD)), ...);
  ((sums1[kPixel] = hn::Zero(kD)), ...);
  const size_t x_ld = t.x_ld, w_ld = t.w_ld, row_stride = t.row_stride;
  const X* x = t.x + c;
  const float* w0 = t.w + c;
  const float* w1 = w0;
  INKREAD_UNROLL_TAPS for (size_t kx = 0; kx < kKw; ++kx, w0 += w_ld) {
    const V weight = hn::LoadU(kD, w0);
    ((sums0[kPixel] = hn::MulAdd(LoadWhole(x + (kx + kPixel * kStride) * x_ld), weight, sums0[kPixel])), ...);
  }
  for (size_t rows = t.num_rows - 1; rows != 0; --rows) {
    x += row_stride;
    INKREAD_UNROLL_TAPS for (size_t kx = 0; kx < kKw; ++kx, w0 += w_ld, w1 += w_ld) {
      const V weight0 = hn::LoadU(kD, w0), weight1 = hn::LoadU(kD, w1);
      (
          [&]() HWY_ATTR {
            const V value = LoadWhole(x + (kx + kPixel * kStride) * x_ld);
            sums0[kPixel] = hn::MulAdd(value, weight0, sums0[kPixel]);
            sums1[kPixel] = hn::MulAdd(value, weight1, sums1[kPixel]);
          }(),
          ...);
    }
  }
  x += row_stride;
  INKREAD_UNROLL_TAPS for (size_t kx = 0; kx < kKw; ++kx, w1 += w_ld) {
    const V weight = hn::LoadU(kD, w1);
    ((sums1[kPixel] = hn::MulAdd(LoadWhole(x + (kx + kPixel * kStride) * x_ld), weight, sums1[kPixel])), ...);
  }
  FinishBlock(t, c, part, sums0, t.y, pixels);
  FinishBlock(t, c, part, sums1, t.y + t.y_row, pixels);
}

template <size_t kKw, size_t kStride, size_t kPixels, typename X, typename Y>
HWY_NOINLINE void InsideBlock(const Windows<X, Y>& t) {
  constexpr auto kAll = std::make_index_sequence<kPixels>();
  size_t c = 0;
  for (; c + kLanes <= t.c; c += kLanes) InsideBlockOfVector<kKw, kStride>(t, c, kLanes, kAll);
  if (c < t.c) InsideBlockOfVector<kKw, kStride>(t, c, t.c - c, kAll);
}

template <size_t kKw, size_t kStride, typename X, typename Y>
HWY_NOINLINE void PairBlock(const Windows<X, Y>& t) {
  constexpr auto kAll = std::make_index_sequence<kPairPixels>();
  size_t c = 0;
  for (; c + kLanes <= t.c; c += kLanes) PairBlockOfVector<kKw, kStride>(t, c, kLanes, kAll);
  if (c < t.c) PairBlockOfVector<kKw, kStride>(t, c, t.c - c, kAll);
}

// sizeof...(kVector) vectors of channels from c on of OneWindow: as many sums keep the multipliers busy.
template <typename X, typename Y, size_t... kVector>
HWY_INLINE void OneWindowOf(const Windows<X, Y>& t, size_t first_kx, size_t last_kx, size_t c,
                            std::index_sequence<kVector...>) {
  V sums[sizeof...(kVector)];
  ((sums[kVector] = hn::Zero(kD)), ...);
  for (size_t y = 0; y < t.num_rows; ++y) {
    const X* x = t.x + y * t.row_stride + c;
    const float* w = t.w + y * t.kw * t.w_ld + c;
    for (size_t kx = first_kx; kx < last_kx; ++kx) {
      ((sums[kVector] = hn::MulAdd(LoadWhole(x + kx * t.x_ld + kVector * kLanes),
                                   hn::LoadU(kD, w + kx * t.w_ld + kVector * kLanes), sums[kVector])),
       ...);
    }
  }
  const auto finish = [&](V sum, size_t from) HWY_ATTR {
    if (t.bias != nullptr) sum = hn::Add(sum, LoadPart(t.bias + from, t.c - from));
    StorePart(sum, t.y + from, t.c - from);
  };
  (finish(sums[kVector], c + kVector * kLanes), ...);
}

// One window, of which the columns [first_kx, last_kx) are inside x. t.x is where column 0 is or would be.
template <typename X, typename Y>
HWY_NOINLINE void OneWindow(const Windows<X, Y>& t, size_t first_kx, size_t last_kx) {
  const size_t vectors = DivideUp(t.c, kLanes);
  size_t v = 0;
  for (; v + 4 <= vectors; v += 4) OneWindowOf(t, first_kx, last_kx, v * kLanes, std::make_index_sequence<4>());
  if (v + 3 == vectors) return OneWindowOf(t, first_kx, last_kx, v * kLanes, std::make_index_sequence<3>());
  if (v + 2 == vectors) return OneWindowOf(t, first_kx, last_kx, v * kLanes, std::make_index_sequence<2>());
  if (v + 1 == vectors) OneWindowOf(t, first_kx, last_kx, v * kLanes, std::make_index_sequence<1>());
}

template <typename X, typename Y>
struct BlockFunctions {
  void (*block)(const Windows<X, Y>&);
  void (*small_block)(const Windows<X, Y>&);
  void (*pair_block)(const Windows<X, Y>&);
};

template <size_t kKw, size_t kStride, typename X, typename Y>
HWY_INLINE BlockFunctions<X, Y> BlocksOf() {
  return {InsideBlock<kKw, kStride, kBlockPixels, X, Y>, InsideBlock<kKw, kStride, kSmallBlockPixels, X, Y>,
          PairBlock<kKw, kStride, X, Y>};
}

// Null if there are no block kernels for the window.
template <typename X, typename Y>
HWY_INLINE BlockFunctions<X, Y> BlocksFor(size_t kw, size_t stride_w) {
  if (stride_w == 1) {
    if (kw == 3) return BlocksOf<3, 1, X, Y>();
    if (kw == 5) return BlocksOf<5, 1, X, Y>();
    if (kw == 7) return BlocksOf<7, 1, X, Y>();
    if (kw == 9) return BlocksOf<9, 1, X, Y>();
  } else if (stride_w == 2) {
    if (kw == 3) return BlocksOf<3, 2, X, Y>();
    if (kw == 5) return BlocksOf<5, 2, X, Y>();
    if (kw == 7) return BlocksOf<7, 2, X, Y>();
  }
  return {nullptr, nullptr, nullptr};
}

// Channels [begin, end) of output row oy, and of the next one too if num_rows is 2: then all rows of both windows are
// inside x. has_rest: the epilogue is more than a bias; Y is then float, else T.
//
// sums  scratch for the results of a block, if has_rest
template <bool has_rest, typename T>
HWY_NOINLINE void DepthwiseRows(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o,
                                size_t image, size_t oy, size_t num_rows, size_t begin, size_t end, float* sums) {
  const ptrdiff_t top = static_cast<ptrdiff_t>(oy * p.stride_h) - static_cast<ptrdiff_t>(p.pad_top);
  const ptrdiff_t first_iy = std::max<ptrdiff_t>(top, 0);
  const ptrdiff_t last_iy = std::max<ptrdiff_t>(first_iy, std::min<ptrdiff_t>(top + p.kh, p.ih));
  using Y = std::conditional_t<has_rest, float, T>;
  const BlockFunctions<T, Y> blocks = BlocksFor<T, Y>(p.kw, p.stride_w);
  Windows<T, Y> t;
  t.x_ld = p.x_ld;
  t.row_stride = size_t{p.iw} * p.x_ld;
  t.num_rows = static_cast<size_t>(last_iy - first_iy);
  t.w = Values<float>(o.weights[0]) + (first_iy - top) * p.kw * p.c + begin;
  t.kw = p.kw;
  t.w_ld = p.c;
  t.c = end - begin;
  t.bias = e.has_bias ? Values<float>(o.weights[1]) + begin : nullptr;
  // The rest of the epilogue is applied to a block's sums. These are not in y, since y may be the residual.
  EpilogueParams rest = e;
  rest.has_bias = 0;
  const size_t sums_ld = RoundUp(t.c, kLanes);
  t.y_ld = has_rest ? sums_ld : p.y_ld;
  t.y_row = has_rest ? kBlockPixels * sums_ld : size_t{p.ow} * p.y_ld;
  const T* x = Values<T>(o.reads[0]) + begin;
  const ptrdiff_t row = (static_cast<ptrdiff_t>(image) * p.ih + first_iy) * p.iw;
  const size_t ahead = 2 * kBlockPixels * p.stride_w * p.x_ld;
  for (size_t ox = 0; ox < p.ow;) {
    const ptrdiff_t left = static_cast<ptrdiff_t>(ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
    // How many windows from here on lie inside x.
    const size_t inside = left < 0 || left + static_cast<ptrdiff_t>(p.kw) > static_cast<ptrdiff_t>(p.iw)
                              ? 0
                              : std::min<size_t>((p.iw - p.kw - left) / p.stride_w + 1, p.ow - ox);
    const size_t pixel = (image * p.oh + oy) * p.ow + ox;
    t.x = x + (row + left) * static_cast<ptrdiff_t>(p.x_ld);
    if constexpr (has_rest) {
      t.y = sums;
    } else {
      t.y = Values<T>(o.writes[0]) + pixel * p.y_ld + begin;
    }
    const auto each_row = [&](const auto& run) HWY_ATTR {
      for (size_t r = 0; r < num_rows; ++r) {
        Windows<T, Y> of_row = t;
        of_row.x += r * t.row_stride;
        of_row.y += r * t.y_row;
        run(of_row);
      }
    };
    size_t count = 1;
    if (blocks.block != nullptr && inside >= kSmallBlockPixels) {
      const T* soon = t.x + (t.num_rows == 0 ? 0 : t.num_rows - 1) * t.row_stride + ahead;
      count = num_rows == 2 && inside >= kPairPixels ? kPairPixels
              : inside >= kBlockPixels               ? kBlockPixels
                                                     : kSmallBlockPixels;
      for (size_t r = 0; r < num_rows; ++r) {
        for (size_t i = 0; i < count * p.stride_w; ++i) FetchAhead(soon + r * t.row_stride + i * p.x_ld, t.c);
      }
      if (num_rows == 2 && count == kPairPixels) {
        blocks.pair_block(t);
      } else {
        each_row(count == kBlockPixels ? blocks.block : blocks.small_block);
      }
    } else {
      const ptrdiff_t first_kx = std::clamp<ptrdiff_t>(-left, 0, p.kw);
      const ptrdiff_t last_kx = std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(p.iw) - left, first_kx, p.kw);
      each_row([&](const Windows<T, Y>& of_row)
                   HWY_ATTR { OneWindow(of_row, static_cast<size_t>(first_kx), static_cast<size_t>(last_kx)); });
    }
    for (size_t r = 0; has_rest && r < num_rows; ++r) {
      EpilogueBlockOf<float, T> block = EpilogueAt<float, T>(rest, o, image, pixel + r * p.ow, begin, p.c);
      block.sums = sums + r * t.y_row;
      block.sums_ld = sums_ld;
      block.y = Values<T>(o.writes[0]) + (pixel + r * p.ow) * p.y_ld + begin;
      block.y_ld = p.y_ld;
      block.rows = count;
      block.columns = t.c;
      ApplyEpilogue(block, rest);
    }
    ox += count;
  }
}

HWY_INLINE bool HasRest(const EpilogueParams& e) {
  return e.activation != INKREAD_ACTIVATION_NONE || e.has_gate || e.has_residual;
}

// The sums of a block of two rows, with all channels.
size_t DepthwiseScratch(const DepthwiseConvParams& p, const EpilogueParams& e) {
  return HasRest(e) ? 2 * kBlockPixels * RoundUp(p.c, kLanes) : 0;
}

template <bool has_rest, typename T>
void DepthwiseRowsOf(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin,
                     size_t end, float* scratch) {
  // As many channels at a time as keep a block's windows in the first-level cache, since the next block shares most of
  // them. All at once if that would take so many passes over a row that they cost more (docs/decisions.md).
  constexpr size_t kNearValues = (32 << 10) / sizeof(T);
  constexpr size_t kMaxPasses = 4;
  const size_t window = size_t{p.kh} * (size_t{kBlockPixels} * p.stride_w + p.kw);
  const size_t passes = std::max<size_t>(1, DivideUp(p.c, std::max(kNearValues / window, kLanes)));
  const size_t channels = RoundUp(DivideUp(p.c, passes <= kMaxPasses ? passes : 1), kLanes);
  for (size_t row = begin; row < end;) {
    const size_t image = row / p.oh, oy = row % p.oh;
    const bool is_pair =
        p.stride_h == 1 && row + 1 < end && oy + 1 < p.oh && oy >= p.pad_top && oy + 1 + p.kh <= p.ih + p.pad_top;
    const size_t num_rows = is_pair ? 2 : 1;
    for (size_t c = 0; c < p.c; c += channels) {
      DepthwiseRows<has_rest, T>(p, e, o, image, oy, num_rows, c, std::min<size_t>(c + channels, p.c), scratch);
    }
    row += num_rows;
  }
}

// Output rows [begin, end), counted over all images.
void DepthwiseAllRows(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin,
                      size_t end, float* scratch) {
  WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
    using T = decltype(t);
    HasRest(e) ? DepthwiseRowsOf<true, T>(p, e, o, begin, end, scratch)
               : DepthwiseRowsOf<false, T>(p, e, o, begin, end, scratch);
  });
}

void DepthwiseStep(const DepthwiseConvParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  // Moving a value costs about as much as the window's sum: small windows are bound by memory.
  const size_t row_work = size_t{p.ow} * p.c * (size_t{p.kh} * p.kw / 4 + 1);
  ParallelBlocks(pool, size_t{p.n} * p.oh, row_work, DepthwiseScratch(p, e),
                 [&](size_t begin, size_t end, float* scratch) { DepthwiseAllRows(p, e, o, begin, end, scratch); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(DepthwiseConvParams, DepthwiseStep)
INKREAD_CPU_THREAD_SCRATCH(DepthwiseConvParams, DepthwiseScratch)

HWY_EXPORT(DepthwiseAllRows);
void RunRows(const DepthwiseConvParams& p, const EpilogueParams& epilogue, const HostOperands& o, size_t begin,
             size_t end, const Context& context, float* scratch) {
  HWY_DISPATCH_TABLE(DepthwiseAllRows)[context.target](p, epilogue, o, begin, end, scratch);
}

}  // namespace inkread::cpu
#endif
