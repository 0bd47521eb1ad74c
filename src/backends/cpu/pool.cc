// pool: vectors of channels over each window's part inside x.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/pool.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// One vector of channels, or `part` lanes of it. Maxima of whole windows, the common case, see has_zero false.
template <typename T>
HWY_INLINE void PoolWindow(uint mode, const T* x, size_t x_ld, size_t row_stride, size_t num_y, size_t num_x, V scale,
                           bool has_zero, T* y, size_t part) {
  V v = hn::Zero(kD);
  if (mode == INKREAD_POOL_MAX) {
    if (!has_zero) v = LoadPart(x, part);
    for (size_t i = 0; i < num_y; ++i, x += row_stride) {
      for (size_t j = 0; j < num_x; ++j) v = hn::Max(v, LoadPart(x + j * x_ld, part));
    }
  } else {
    for (size_t i = 0; i < num_y; ++i, x += row_stride) {
      for (size_t j = 0; j < num_x; ++j) v = hn::Add(v, LoadPart(x + j * x_ld, part));
    }
    v = hn::Mul(v, scale);
  }
  StorePart(v, y, part);
}

// `count` maxima of whole windows of 2 x 2 in a row, which the stems of all networks need.
template <typename T>
HWY_NOINLINE void MaxOfTwoByTwo(const PoolParams& p, const T* x, size_t count, T* y) {
  const size_t x_ld = p.x_ld, y_ld = p.y_ld, row = size_t{p.iw} * p.x_ld, step = p.stride_w * x_ld;
  for (size_t c = 0; c < p.c; c += kLanes) {
    const size_t part = p.c - c;
    const T* from = x + c;
    T* to = y + c;
    if (part >= kLanes) {
      for (size_t i = 0; i < count; ++i, from += step, to += y_ld) {
        const V above = hn::Max(LoadWhole(from), LoadWhole(from + x_ld));
        const V below = hn::Max(LoadWhole(from + row), LoadWhole(from + row + x_ld));
        StoreWhole(hn::Max(above, below), to);
      }
    } else {
      for (size_t i = 0; i < count; ++i, from += step, to += y_ld) {
        const V above = hn::Max(LoadPart(from, part), LoadPart(from + x_ld, part));
        const V below = hn::Max(LoadPart(from + row, part), LoadPart(from + row + x_ld, part));
        StorePart(hn::Max(above, below), to, part);
      }
    }
  }
}

template <typename T>
HWY_NOINLINE void PoolRow(const PoolParams& p, const HostOperands& o, size_t image, size_t oy) {
  const ptrdiff_t top = static_cast<ptrdiff_t>(oy * p.stride_h) - static_cast<ptrdiff_t>(p.pad_top);
  const ptrdiff_t y0 = std::max<ptrdiff_t>(top, 0), y1 = std::min<ptrdiff_t>(top + p.kh, p.ih);
  const bool is_two_by_two = p.mode == INKREAD_POOL_MAX && p.kw == 2 && y1 - y0 == 2 && p.kh == 2 && p.pad_left == 0;
  size_t first = 0;
  if (is_two_by_two && p.iw >= 2) {
    // Few at a time, so that they stay in the first-level cache from one vector of channels to the next.
    constexpr size_t kTogether = 16;
    const size_t inside = std::min<size_t>(p.ow, (p.iw - 2) / p.stride_w + 1);
    for (; first < inside; first += std::min(kTogether, inside - first)) {
      MaxOfTwoByTwo(p, Values<T>(o.reads[0]) + ((image * p.ih + y0) * p.iw + first * p.stride_w) * p.x_ld,
                    std::min(kTogether, inside - first),
                    Values<T>(o.writes[0]) + ((image * p.oh + oy) * p.ow + first) * p.y_ld);
    }
  }
  for (size_t ox = first; ox < p.ow; ++ox) {
    const ptrdiff_t left = static_cast<ptrdiff_t>(ox * p.stride_w) - static_cast<ptrdiff_t>(p.pad_left);
    const ptrdiff_t x0 = std::max<ptrdiff_t>(left, 0), x1 = std::min<ptrdiff_t>(left + p.kw, p.iw);
    const ptrdiff_t inside = std::max<ptrdiff_t>(y1 - y0, 0) * std::max<ptrdiff_t>(x1 - x0, 0);
    const ptrdiff_t window = static_cast<ptrdiff_t>(p.kh) * p.kw;
    T* y = Values<T>(o.writes[0]) + ((image * p.oh + oy) * p.ow + ox) * p.y_ld;
    if (inside == 0) {
      std::memset(y, 0, p.c * sizeof(T));
      continue;
    }
    const T* x = Values<T>(o.reads[0]) + ((static_cast<ptrdiff_t>(image) * p.ih + y0) * p.iw + x0) * p.x_ld;
    const size_t num_y = static_cast<size_t>(y1 - y0), num_x = static_cast<size_t>(x1 - x0);
    const V scale = hn::Set(kD, 1.0f / static_cast<float>(p.count_padding ? window : inside));
    const bool has_zero = p.count_padding && inside < window;
    size_t c = 0;
    for (; c + kLanes <= p.c; c += kLanes) {
      PoolWindow(p.mode, x + c, p.x_ld, size_t{p.iw} * p.x_ld, num_y, num_x, scale, has_zero, y + c, kLanes);
    }
    if (c < p.c)
      PoolWindow(p.mode, x + c, p.x_ld, size_t{p.iw} * p.x_ld, num_y, num_x, scale, has_zero, y + c, p.c - c);
  }
}

// Output rows [begin, end), counted over all images.
void PoolRows(const PoolParams& p, const EpilogueParams&, const HostOperands& o, size_t begin, size_t end) {
  WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
    for (size_t row = begin; row < end; ++row) PoolRow<decltype(t)>(p, o, row / p.oh, row % p.oh);
  });
}

void PoolStep(const PoolParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  ParallelBlocks(pool, size_t{p.n} * p.oh, size_t{p.ow} * p.c * p.kh * p.kw,
                 [&](size_t begin, size_t end) { PoolRows(p, e, o, begin, end); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(PoolParams, PoolStep)
INKREAD_CPU_ROWS(PoolParams, PoolRows)

}  // namespace inkread::cpu
#endif
