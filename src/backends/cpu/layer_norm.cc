// layer_norm: threads share out the rows. Sums of a row are made by lane, then across lanes.
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/layer_norm.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

template <typename T>
HWY_NOINLINE void NormaliseRow(const LayerNormParams& p, const T* x, const float* scale, const float* shift, T* y) {
  V sum = hn::Zero(kD);
  for (size_t c = 0; c < p.c; c += kLanes) sum = hn::Add(sum, LoadPart(x + c, p.c - c));
  const V mean = hn::Set(kD, hn::GetLane(hn::SumOfLanes(kD, sum)) / static_cast<float>(p.c));
  V squares = hn::Zero(kD);
  for (size_t c = 0; c < p.c; c += kLanes) {
    V d = hn::Sub(LoadPart(x + c, p.c - c), mean);
    if (p.c - c < kLanes) d = hn::IfThenElseZero(hn::FirstN(kD, p.c - c), d);
    squares = hn::MulAdd(d, d, squares);
  }
  const float variance = hn::GetLane(hn::SumOfLanes(kD, squares)) / static_cast<float>(p.c);
  const V factor = hn::Set(kD, 1.0f / std::sqrt(variance + p.epsilon));
  for (size_t c = 0; c < p.c; c += kLanes) {
    const size_t part = p.c - c;
    const V normal = hn::Mul(hn::Sub(LoadPart(x + c, part), mean), factor);
    StorePart(hn::MulAdd(normal, LoadPart(scale + c, part), LoadPart(shift + c, part)), y + c, part);
  }
}

void LayerNormStep(const LayerNormParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  ParallelBlocks(pool, p.rows, size_t{p.c} * 3, [&](size_t begin, size_t end) {
    WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
      const auto* x = Values<decltype(t)>(o.reads[0]);
      auto* y = Values<decltype(t)>(o.writes[0]);
      for (size_t row = begin; row < end; ++row) {
        NormaliseRow(p, x + row * p.x_ld, Values<float>(o.weights[0]), Values<float>(o.weights[1]), y + row * p.y_ld);
      }
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(LayerNormParams, LayerNormStep)

}  // namespace inkread::cpu
#endif
