// softmax: rows over threads, the exponentials kept in y until their sum is known.
#include <limits>

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

HWY_NOINLINE void SoftmaxRow(const float* x, size_t count, float* y) {
  const V lowest = hn::Set(kD, -std::numeric_limits<float>::infinity());
  V largest = lowest;
  for (size_t c = 0; c < count; c += kLanes) {
    V v = LoadPart(x + c, count - c);
    if (count - c < kLanes) v = hn::IfThenElse(hn::FirstN(kD, count - c), v, lowest);
    largest = hn::Max(largest, v);
  }
  largest = hn::Set(kD, hn::GetLane(hn::MaxOfLanes(kD, largest)));
  V sum = hn::Zero(kD);
  for (size_t c = 0; c < count; c += kLanes) {
    V v = Exp(hn::Sub(LoadPart(x + c, count - c), largest));
    if (count - c < kLanes) v = hn::IfThenElseZero(hn::FirstN(kD, count - c), v);
    sum = hn::Add(sum, v);
    StorePart(v, y + c, count - c);
  }
  const V total = hn::Set(kD, hn::GetLane(hn::SumOfLanes(kD, sum)));
  for (size_t c = 0; c < count; c += kLanes) StorePart(hn::Div(LoadPart(y + c, count - c), total), y + c, count - c);
}

void SoftmaxStep(const SoftmaxParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.c == 0) return;
  ParallelBlocks(pool, p.rows, size_t{p.c} * 8, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) SoftmaxRow(o.reads[0] + row * p.x_ld, p.c, o.writes[0] + row * p.y_ld);
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
