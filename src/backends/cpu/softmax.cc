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

// y[c] = exp(x[c] - shift); returns their sum. Meanwhile the `ahead` floats behind x come nearer.
HWY_NOINLINE float Exponentials(const float* x, size_t count, size_t ahead, float shift, float* y) {
  const V s = hn::Set(kD, shift);
  V sum0 = hn::Zero(kD), sum1 = sum0;
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    FetchAhead(x + ahead + c, 2 * kLanes);
    const V e0 = Exp(hn::Sub(hn::LoadU(kD, x + c), s));
    const V e1 = Exp(hn::Sub(hn::LoadU(kD, x + c + kLanes), s));
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

HWY_NOINLINE void Multiply(float* y, size_t count, float factor) {
  const V f = hn::Set(kD, factor);
  size_t c = 0;
  for (; c + 2 * kLanes <= count; c += 2 * kLanes) {
    const V y0 = hn::Mul(hn::LoadU(kD, y + c), f);
    const V y1 = hn::Mul(hn::LoadU(kD, y + c + kLanes), f);
    hn::StoreU(y0, kD, y + c);
    hn::StoreU(y1, kD, y + c + kLanes);
  }
  for (; c < count; c += kLanes) StorePart(hn::Mul(LoadPart(y + c, count - c), f), y + c, count - c);
}

void SoftmaxStep(const SoftmaxParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.c == 0) return;
  ParallelBlocks(pool, p.rows, size_t{p.c} * 8, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float* x = o.reads[0] + row * p.x_ld;
      float* y = o.writes[0] + row * p.y_ld;
      const float sum = Exponentials(x, p.c, p.x_ld, Largest(x, p.c), y);
      Multiply(y, p.c, 1.0f / sum);
    }
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
