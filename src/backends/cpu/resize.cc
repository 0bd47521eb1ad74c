// resize: output rows from input rows. The epilogue of a pixel is computed for its scale_w copies together.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/resize.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/epilogue-inl.h"
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

template <typename T>
void ResizeRowsOf(const ResizeParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin, size_t end) {
  const size_t oh = size_t{p.ih} * p.scale_h, ow = size_t{p.iw} * p.scale_w;
  for (size_t row = begin; row < end; ++row) {
    const size_t image = row / oh, iy = row % oh / p.scale_h;
    for (size_t ix = 0; ix < p.iw; ++ix) {
      const size_t pixel = row * ow + ix * p.scale_w;
      EpilogueBlockOf<T, T> block = EpilogueAt<T, T>(e, o, image, pixel, 0, p.c);
      block.sums = Values<T>(o.reads[0]) + ((image * p.ih + iy) * p.iw + ix) * p.x_ld;
      block.sums_ld = 0;  // every row of the block is the same pixel of x
      block.y = Values<T>(o.writes[0]) + pixel * p.y_ld;
      block.y_ld = p.y_ld;
      block.rows = p.scale_w;
      block.columns = p.c;
      ApplyEpilogue(block, e);
    }
  }
}

// Output rows [begin, end), counted over all images.
void ResizeRows(const ResizeParams& p, const EpilogueParams& e, const HostOperands& o, size_t begin, size_t end) {
  WithElement(o.reads[0].element, [&](auto t) HWY_ATTR { ResizeRowsOf<decltype(t)>(p, e, o, begin, end); });
}

void ResizeStep(const ResizeParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  const size_t oh = size_t{p.ih} * p.scale_h, ow = size_t{p.iw} * p.scale_w;
  ParallelBlocks(pool, p.n * oh, ow * p.c, [&](size_t begin, size_t end) { ResizeRows(p, e, o, begin, end); });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(ResizeParams, ResizeStep)
INKREAD_CPU_ROWS(ResizeParams, ResizeRows)

}  // namespace inkread::cpu
#endif
