// squeeze_excite: two products of one row by a small matrix.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/squeeze_excite.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

// y[j] = bias[j] + sum over i of x[i] * w[i, j], in this order, four vectors of j at a time.
HWY_NOINLINE void RowTimesMatrix(const float* x, size_t rows, const float* w, const float* bias, size_t columns,
                                 float* y) {
  size_t j = 0;
  for (; j + 4 * kLanes <= columns; j += 4 * kLanes) {
    V s0 = hn::LoadU(kD, bias + j), s1 = hn::LoadU(kD, bias + j + kLanes);
    V s2 = hn::LoadU(kD, bias + j + 2 * kLanes), s3 = hn::LoadU(kD, bias + j + 3 * kLanes);
    const float* from = w + j;
    for (size_t i = 0; i < rows; ++i, from += columns) {
      const V xi = hn::Set(kD, x[i]);
      s0 = hn::MulAdd(xi, hn::LoadU(kD, from), s0);
      s1 = hn::MulAdd(xi, hn::LoadU(kD, from + kLanes), s1);
      s2 = hn::MulAdd(xi, hn::LoadU(kD, from + 2 * kLanes), s2);
      s3 = hn::MulAdd(xi, hn::LoadU(kD, from + 3 * kLanes), s3);
    }
    hn::StoreU(s0, kD, y + j);
    hn::StoreU(s1, kD, y + j + kLanes);
    hn::StoreU(s2, kD, y + j + 2 * kLanes);
    hn::StoreU(s3, kD, y + j + 3 * kLanes);
  }
  for (; j < columns; j += kLanes) {
    const size_t part = columns - j;
    V sum = LoadPart(bias + j, part);
    for (size_t i = 0; i < rows; ++i) sum = hn::MulAdd(hn::Set(kD, x[i]), LoadPart(w + i * columns + j, part), sum);
    StorePart(sum, y + j, part);
  }
}

// The values between the two products, and a row of x or y.
size_t SqueezeExciteScratch(const SqueezeExciteParams& p, const EpilogueParams&) {
  return RoundUp(p.mid, kLanes) + RoundUp(p.c, kLanes);
}

template <typename T>
HWY_NOINLINE void SqueezeExciteImage(const SqueezeExciteParams& p, const HostOperands& o, size_t image, float* middle) {
  float* row = middle + RoundUp(p.mid, kLanes);  // x, then y
  const T* x = Values<T>(o.reads[0]) + image * p.c;
  for (size_t c = 0; c < p.c; c += kLanes) hn::Store(LoadPart(x + c, p.c - c), kD, row + c);
  RowTimesMatrix(row, p.c, Values<float>(o.weights[0]), Values<float>(o.weights[1]), p.mid, middle);
  for (size_t m = 0; m < p.mid; m += kLanes) {
    StorePart(hn::Max(LoadPart(middle + m, p.mid - m), hn::Zero(kD)), middle + m, p.mid - m);
  }
  RowTimesMatrix(middle, p.mid, Values<float>(o.weights[2]), Values<float>(o.weights[3]), p.c, row);
  T* y = Values<T>(o.writes[0]) + image * p.c;
  const V alpha = hn::Set(kD, p.alpha), beta = hn::Set(kD, p.beta), more = hn::Set(kD, p.add_one ? 1.0f : 0.0f);
  for (size_t c = 0; c < p.c; c += kLanes) {
    StorePart(hn::Add(HardSigmoid(hn::Load(kD, row + c), alpha, beta), more), y + c, p.c - c);
  }
}

void SqueezeExciteStep(const SqueezeExciteParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  ParallelBlocks(pool, p.n, size_t{2} * p.c * p.mid, SqueezeExciteScratch(p, {}),
                 [&](size_t begin, size_t end, float* scratch) {
                   WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
                     for (size_t image = begin; image < end; ++image)
                       SqueezeExciteImage<decltype(t)>(p, o, image, scratch);
                   });
                 });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(SqueezeExciteParams, SqueezeExciteStep)
INKREAD_CPU_THREAD_SCRATCH(SqueezeExciteParams, SqueezeExciteScratch)

}  // namespace inkread::cpu
#endif
