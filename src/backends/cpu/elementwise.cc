// elementwise: the epilogue over blocks of pixels, or of single values if nothing depends on the channel.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/elementwise.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Pixels [begin, end), counted over all images.
template <typename T>
HWY_NOINLINE void ElementwisePixels(const ElementwiseParams& p, const EpilogueParams& e, const HostOperands& o,
                                    size_t begin, size_t end) {
  const size_t image_pixels = size_t{p.h} * p.w;
  // A few pixels at a time: columns are the outer loop, and the pixels should stay in the first-level cache.
  for (size_t pixel = begin; pixel < end;) {
    const size_t image = pixel / image_pixels;
    const size_t count = std::min({end - pixel, (image + 1) * image_pixels - pixel, size_t{8}});
    EpilogueBlockOf<T, T> block = EpilogueAt<T, T>(e, o, image, pixel, 0, p.c);
    block.sums = Values<T>(o.reads[0]) + pixel * p.x_ld;
    block.sums_ld = p.x_ld;
    block.y = Values<T>(o.writes[0]) + pixel * p.y_ld;
    block.y_ld = p.y_ld;
    block.rows = count;
    block.columns = p.c;
    FetchAhead(block.sums + 4 * count * p.x_ld, count * p.x_ld);
    ApplyEpilogue(block, e);
    pixel += count;
  }
}

void ElementwiseRows(const ElementwiseParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin,
                     size_t end) {
  WithElement(o.reads[0].element,
              [&](auto t) HWY_ATTR { ElementwisePixels<decltype(t)>(p, e, o, begin * p.w, end * p.w); });
}

template <typename T>
void ElementwiseAll(const ElementwiseParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  const size_t pixels = size_t{p.n} * p.h * p.w;
  if (pixels == 0 || p.c == 0) return;
  const bool is_flat =
      !e.has_bias && !e.has_gate && p.x_ld == p.c && p.y_ld == p.c && (!e.has_residual || e.residual_ld == p.c);
  if (is_flat) {
    constexpr size_t kChunk = 1024;
    const size_t values = pixels * p.c;
    ParallelBlocks(pool, DivideUp(values, kChunk), kChunk, [&](size_t begin, size_t end) HWY_ATTR {
      EpilogueBlockOf<T, T> block{};
      block.sums = Values<T>(o.reads[0]) + begin * kChunk;
      block.y = Values<T>(o.writes[0]) + begin * kChunk;
      if (e.has_residual) block.residual = Values<T>(o.reads[2]) + begin * kChunk;
      block.rows = 1;
      block.columns = std::min(values, end * kChunk) - begin * kChunk;
      ApplyEpilogue(block, e);
    });
    return;
  }
  ParallelBlocks(pool, pixels, p.c, [&](size_t begin, size_t end) { ElementwisePixels<T>(p, e, o, begin, end); });
}

void ElementwiseStep(const ElementwiseParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  WithElement(o.reads[0].element, [&](auto t) HWY_ATTR { ElementwiseAll<decltype(t)>(p, e, o, pool); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(ElementwiseParams, ElementwiseStep)
INKREAD_CPU_ROWS(ElementwiseParams, ElementwiseRows)

}  // namespace inkread::cpu
#endif
