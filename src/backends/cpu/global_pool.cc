// global_pool in two phases: threads sum rows, then the rows' sums are added in order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/global_pool.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// Sums `count` pixels into y, four vectors of channels at a time, so that additions need not wait for one another.
template <typename T>
HWY_NOINLINE void SumPixels(const T* x, size_t x_ld, size_t count, size_t channels, float* y) {
  size_t c = 0;
  for (; c + 4 * kLanes <= channels; c += 4 * kLanes) {
    V s0 = hn::Zero(kD), s1 = s0, s2 = s0, s3 = s0;
    const T* from = x + c;
    for (size_t i = 0; i < count; ++i, from += x_ld) {
      s0 = hn::Add(s0, LoadWhole(from));
      s1 = hn::Add(s1, LoadWhole(from + kLanes));
      s2 = hn::Add(s2, LoadWhole(from + 2 * kLanes));
      s3 = hn::Add(s3, LoadWhole(from + 3 * kLanes));
    }
    hn::StoreU(s0, kD, y + c);
    hn::StoreU(s1, kD, y + c + kLanes);
    hn::StoreU(s2, kD, y + c + 2 * kLanes);
    hn::StoreU(s3, kD, y + c + 3 * kLanes);
  }
  for (; c < channels; c += kLanes) {
    V sum = hn::Zero(kD);
    for (size_t i = 0; i < count; ++i) sum = hn::Add(sum, LoadPart(x + i * x_ld + c, channels - c));
    StorePart(sum, y + c, channels - c);
  }
}

// Rows [begin, end), counted over all images.
void GlobalPoolRows(const GlobalPoolParams& p, const EpilogueParams&, const HostOperands& o, size_t begin, size_t end) {
  WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
    for (size_t row = begin; row < end; ++row) {
      SumPixels(Values<decltype(t)>(o.reads[0]) + row * p.w * p.x_ld, p.x_ld, p.w, p.c,
                Values<float>(o.writes[1]) + row * p.c);
    }
  });
}

// One image's mean from its rows' sums; of these the first row is lost.
void MeanOfRows(const GlobalPoolParams& p, const HostOperands& o, size_t image) {
  const V divisor = hn::Set(kD, static_cast<float>(size_t{p.h} * p.w));
  float* sums = Values<float>(o.writes[1]) + image * p.h * p.c;
  SumPixels(sums, p.c, p.h, p.c, sums);
  WithElement(o.writes[0].element, [&](auto t) HWY_ATTR {
    auto* y = Values<decltype(t)>(o.writes[0]) + image * p.c;
    for (size_t c = 0; c < p.c; c += kLanes) StorePart(hn::Div(LoadPart(sums + c, p.c - c), divisor), y + c, p.c - c);
  });
}

void GlobalPoolStep(const GlobalPoolParams& p, const EpilogueParams& e, const HostOperands& o, ThreadPool& pool) {
  ParallelBlocks(pool, size_t{p.n} * p.h, size_t{p.w} * p.c,
                 [&](size_t begin, size_t end) { GlobalPoolRows(p, e, o, begin, end); });
  for (size_t image = 0; image < p.n; ++image) MeanOfRows(p, o, image);
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(GlobalPoolParams, GlobalPoolStep)
INKREAD_CPU_ROWS(GlobalPoolParams, GlobalPoolRows)

HWY_EXPORT(MeanOfRows);
void FinishGlobalPool(const GlobalPoolParams& p, const HostOperands& o, size_t image, const Context& context) {
  HWY_DISPATCH_TABLE(MeanOfRows)[context.target](p, o, image);
}

}  // namespace inkread::cpu
#endif
