// copy: whole runs if both sides are dense, else element by element. Between equal elements no bit changes.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/copy.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

template <typename T>
HWY_INLINE void CopyRun(const T* x, size_t count, T* y) {
  std::memcpy(y, x, count * sizeof(T));
}
template <typename X, typename Y>
HWY_INLINE void CopyRun(const X* x, size_t count, Y* y) {
  for (size_t i = 0; i < count; i += kLanes) StorePart(LoadPart(x + i, count - i), y + i, count - i);
}

template <typename X, typename Y>
void CopyAs(const CopyParams& p, const HostOperands& o, ThreadPool& pool) {
  // Runs that follow one another on both sides are one.
  size_t rows = size_t{p.dims[0]} * p.dims[1] * p.dims[2] * p.dims[3], length = p.dims[4];
  int axes = 4;
  while (axes > 0 && p.x_stride[4] == 1 && p.y_stride[4] == 1 &&
         (p.dims[axes - 1] == 1 || (p.x_stride[axes - 1] == length && p.y_stride[axes - 1] == length))) {
    --axes;
    rows /= p.dims[axes];
    length *= p.dims[axes];
  }
  // One long run is shared out too.
  const size_t piece = std::min<size_t>(length, 4096), pieces = DivideUp(length, piece);
  ParallelBlocks(pool, rows * pieces, piece, [&](size_t begin, size_t end) HWY_ATTR {
    for (size_t at = begin; at < end; ++at) {
      const X* x = Values<X>(o.reads[0]);
      Y* y = Values<Y>(o.writes[0]);
      const size_t first = at % pieces * piece, count = std::min(piece, length - first), row = at / pieces;
      size_t rest = row;
      for (int i = axes - 1; i >= 0; --i) {
        const size_t index = rest % p.dims[i];
        rest /= p.dims[i];
        x += index * p.x_stride[i];
        y += index * p.y_stride[i];
      }
      if (p.x_stride[4] == 1 && p.y_stride[4] == 1) {
        CopyRun(x + first, count, y + first);
      } else {
        for (size_t i = first; i < first + count; ++i) CopyRun(x + i * p.x_stride[4], 1, y + i * p.y_stride[4]);
      }
    }
  });
}

void CopyStep(const CopyParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  for (uint d : p.dims) {
    if (d == 0) return;
  }
  WithElement(o.reads[0].element, [&](auto x) HWY_ATTR {
    WithElement(o.writes[0].element, [&](auto y) HWY_ATTR { CopyAs<decltype(x), decltype(y)>(p, o, pool); });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(CopyParams, CopyStep)

}  // namespace inkread::cpu
#endif
