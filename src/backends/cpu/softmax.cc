// softmax: threads share out the rows. The exponentials are kept in y, or in scratch if y is narrower, until their sum
// is known.
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

// y[c] = exp(x[c] - shift); returns their sum. Prefetches what is `ahead` elements behind x.
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
void SoftmaxRow(const T* x, size_t count, size_t ahead, float* y, float*) {
  Multiply(y, count, 1.0f / Exponentials(x, count, ahead, Largest(x, count), y), y);
}
// e holds the exponentials, since y has no room for them.
template <typename T>
void SoftmaxRow(const T* x, size_t count, size_t ahead, Bf16* y, float* e) {
  Multiply(e, count, 1.0f / Exponentials(x, count, ahead, Largest(x, count), e), y);
}

size_t SoftmaxScratch(const SoftmaxParams& p, uint32_t y_element) { return y_element == INKREAD_ELEMENT_F32 ? 0 : p.c; }

void SoftmaxStep(const SoftmaxParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.c == 0) return;
  const size_t scratch_floats = SoftmaxScratch(p, o.writes[0].element);
  ParallelBlocks(pool, p.rows, size_t{p.c} * 8, scratch_floats, [&](size_t begin, size_t end, float* scratch) {
    WithElement(o.reads[0].element, [&](auto xt) HWY_ATTR {
      WithElement(o.writes[0].element, [&](auto yt) HWY_ATTR {
        const auto* x = Values<decltype(xt)>(o.reads[0]);
        auto* y = Values<decltype(yt)>(o.writes[0]);
        for (size_t row = begin; row < end; ++row) SoftmaxRow(x + row * p.x_ld, p.c, p.x_ld, y + row * p.y_ld, scratch);
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

HWY_EXPORT(SoftmaxScratch);
ScratchFloats ScratchOf(const SoftmaxParams& p, const Step& step, const Context& context) {
  return {.thread = HWY_DISPATCH_TABLE(SoftmaxScratch)[context.target](p, step.writes[0].element)};
}

}  // namespace inkread::cpu
#endif
