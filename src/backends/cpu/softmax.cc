// softmax: rows over threads, the exponentials kept in y until their sum is known.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/softmax.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// y[c] = exp(x[c] - shift); returns their sum. Meanwhile what lies `ahead` elements behind x comes nearer.
template <typename T>
HWY_NOINLINE float Exponentials(const T* x, size_t count, size_t ahead, float shift, float* y) {
  const V s = hn::Set(kD, shift);
  V sum0 = hn::Zero(kD), sum1 = sum0;
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    FetchAhead(x + ahead + c, 2 * kLanes);
    const V e0 = Exp(hn::Sub(LoadWhole(x + c), s));
    const V e1 = Exp(hn::Sub(LoadWhole(x + c + kLanes), s));
    sum0 = hn::Add(sum0, e0);
    sum1 = hn::Add(sum1, e1);
    hn::StoreU(e0, kD, y + c);
    hn::StoreU(e1, kD, y + c + kLanes);
  }
  for (; c < count; c += kLanes) {
    V e = Exp(hn::Sub(LoadPart(x + c, count - c), s));
    if (count - c < kLanes) e = hn::IfThenElseZero(hn::FirstN(kD, count - c), e);
    sum0 = hn::Add(sum0, e);
    StorePart(e, y + c, count - c);
  }
  return hn::GetLane(hn::SumOfLanes(kD, hn::Add(sum0, sum1)));
}

// y may be e.
template <typename T>
HWY_NOINLINE void Multiply(const float* e, size_t count, float factor, T* y) {
  const V f = hn::Set(kD, factor);
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    const V y0 = hn::Mul(LoadWhole(e + c), f);
    const V y1 = hn::Mul(LoadWhole(e + c + kLanes), f);
    StoreWhole(y0, y + c);
    StoreWhole(y1, y + c + kLanes);
  }
  for (; c < count; c += kLanes) StorePart(hn::Mul(LoadPart(e + c, count - c), f), y + c, count - c);
}

template <typename T>
void SoftmaxRow(const T* x, size_t count, size_t ahead, float* y) {
  Multiply(y, count, 1.0f / Exponentials(x, count, ahead, Largest(x, count), y), y);
}
// y has no room for the exponentials.
template <typename T>
void SoftmaxRow(const T* x, size_t count, size_t ahead, Bf16* y) {
  float* e = ThreadScratch(count);
  Multiply(e, count, 1.0f / Exponentials(x, count, ahead, Largest(x, count), e), y);
}

void SoftmaxStep(const SoftmaxParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.c == 0) return;
  ParallelBlocks(pool, p.rows, size_t{p.c} * 8, [&](size_t begin, size_t end) {
    WithElement(o.x_element, [&](auto xt) HWY_ATTR {
      WithElement(o.y_element, [&](auto yt) HWY_ATTR {
        const auto* x = As<decltype(xt)>(o.reads[0]);
        auto* y = As<decltype(yt)>(o.writes[0]);
        for (size_t row = begin; row < end; ++row) SoftmaxRow(x + row * p.x_ld, p.c, p.x_ld, y + row * p.y_ld);
      });
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(SoftmaxParams, SoftmaxStep)

}  // namespace inkread::cpu
#endif
