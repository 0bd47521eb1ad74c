// attention: threads share out the heads. The keys of a head are transposed, so that scores are vectors over the keys,
// and its values are padded, so that results are vectors over the head. Four queries share what is loaded.
#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {

inline constexpr size_t kQueries = 4;

struct Head {
  size_t t, d, t_padded, d_padded;
  const float* keys;    // [d, t_padded], padded with 0
  const float* values;  // [t, d_padded], padded with 0
  float* scores;        // [kQueries, t_padded]
  float scale;
};

// `count` queries whose d values start at q, q + q_ld, ...
template <typename T>
HWY_NOINLINE void AttendQueries(const Head& h, const float* q, size_t q_ld, size_t count, T* y, size_t y_ld) {
  // Where there are fewer than kQueries the last is repeated; its further results are not stored.
  const float* query[kQueries];
  for (size_t i = 0; i < kQueries; ++i) query[i] = q + std::min(i, count - 1) * q_ld;
  const V scale = hn::Set(kD, h.scale);
  for (size_t j = 0; j < h.t; j += kLanes) {
    V s0 = hn::Zero(kD), s1 = s0, s2 = s0, s3 = s0;
    for (size_t i = 0; i < h.d; ++i) {
      const V k = hn::Load(kD, h.keys + i * h.t_padded + j);
      s0 = hn::MulAdd(hn::Set(kD, query[0][i]), k, s0);
      s1 = hn::MulAdd(hn::Set(kD, query[1][i]), k, s1);
      s2 = hn::MulAdd(hn::Set(kD, query[2][i]), k, s2);
      s3 = hn::MulAdd(hn::Set(kD, query[3][i]), k, s3);
    }
    hn::Store(hn::Mul(s0, scale), kD, h.scores + j);
    hn::Store(hn::Mul(s1, scale), kD, h.scores + h.t_padded + j);
    hn::Store(hn::Mul(s2, scale), kD, h.scores + 2 * h.t_padded + j);
    hn::Store(hn::Mul(s3, scale), kD, h.scores + 3 * h.t_padded + j);
  }
  float sums[kQueries];
  for (size_t i = 0; i < kQueries; ++i) {
    float* scores = h.scores + i * h.t_padded;
    std::fill(scores + h.t, scores + h.t_padded, -std::numeric_limits<float>::infinity());
    V largest = hn::Load(kD, scores);
    for (size_t j = kLanes; j < h.t; j += kLanes) largest = hn::Max(largest, hn::Load(kD, scores + j));
    largest = hn::Set(kD, hn::GetLane(hn::MaxOfLanes(kD, largest)));
    V sum = hn::Zero(kD);
    for (size_t j = 0; j < h.t; j += kLanes) {
      V e = Exp(hn::Sub(hn::Load(kD, scores + j), largest));
      if (h.t - j < kLanes) e = hn::IfThenElseZero(hn::FirstN(kD, h.t - j), e);
      sum = hn::Add(sum, e);
      hn::Store(e, kD, scores + j);
    }
    sums[i] = hn::GetLane(hn::SumOfLanes(kD, sum));
  }
  for (size_t c = 0; c < h.d; c += kLanes) {
    V y0 = hn::Zero(kD), y1 = y0, y2 = y0, y3 = y0;
    const float* e = h.scores;
    for (size_t j = 0; j < h.t; ++j, ++e) {
      const V v = hn::Load(kD, h.values + j * h.d_padded + c);
      y0 = hn::MulAdd(hn::Set(kD, e[0]), v, y0);
      y1 = hn::MulAdd(hn::Set(kD, e[h.t_padded]), v, y1);
      y2 = hn::MulAdd(hn::Set(kD, e[2 * h.t_padded]), v, y2);
      y3 = hn::MulAdd(hn::Set(kD, e[3 * h.t_padded]), v, y3);
    }
    const size_t part = h.d - c;
    StorePart(hn::Div(y0, hn::Set(kD, sums[0])), y + c, part);
    if (count > 1) StorePart(hn::Div(y1, hn::Set(kD, sums[1])), y + y_ld + c, part);
    if (count > 2) StorePart(hn::Div(y2, hn::Set(kD, sums[2])), y + 2 * y_ld + c, part);
    if (count > 3) StorePart(hn::Div(y3, hn::Set(kD, sums[3])), y + 3 * y_ld + c, part);
  }
}

// `count` values as floats.
HWY_INLINE void Spread(const float* from, size_t count, float* to) { std::copy_n(from, count, to); }
HWY_INLINE void Spread(const Bf16* from, size_t count, float* to) {
  for (size_t i = 0; i < count; i += kLanes) StorePart(LoadPart(from + i, count - i), to + i, count - i);
}

// For one head: keys, values, the scores of kQueries queries, and these queries.
size_t AttentionScratch(const AttentionParams& p, const EpilogueParams&) {
  const size_t t_padded = RoundUp(p.t, kLanes), d_padded = RoundUp(p.d, kLanes);
  return p.d * t_padded + p.t * d_padded + kQueries * t_padded + kQueries * d_padded;
}

template <typename T>
HWY_NOINLINE void AttendHead(const AttentionParams& p, const HostOperands& o, size_t image, size_t head, float* keys) {
  Head h;
  h.t = p.t;
  h.d = p.d;
  h.t_padded = RoundUp(p.t, kLanes);
  h.d_padded = RoundUp(p.d, kLanes);
  h.scale = p.scale;
  float* values = keys + h.d * h.t_padded;
  h.keys = keys;
  h.values = values;
  h.scores = values + h.t * h.d_padded;
  float* queries = h.scores + kQueries * h.t_padded;
  const size_t first = image * p.t, column = head * p.d;
  for (size_t j = 0; j < h.t; ++j) {
    Spread(Values<T>(o.reads[1]) + (first + j) * p.k_ld + column, h.d, queries);
    for (size_t i = 0; i < h.d; ++i) keys[i * h.t_padded + j] = queries[i];
    Spread(Values<T>(o.reads[2]) + (first + j) * p.v_ld + column, h.d, values + j * h.d_padded);
    std::fill(values + j * h.d_padded + h.d, values + (j + 1) * h.d_padded, 0.0f);
  }
  for (size_t i = 0; i < h.d; ++i) std::fill(keys + i * h.t_padded + h.t, keys + (i + 1) * h.t_padded, 0.0f);
  for (size_t j = 0; j < h.t; j += kQueries) {
    const size_t count = std::min(kQueries, h.t - j);
    for (size_t i = 0; i < count; ++i)
      Spread(Values<T>(o.reads[0]) + (first + j + i) * p.q_ld + column, h.d, queries + i * h.d_padded);
    AttendQueries(h, queries, h.d_padded, count, Values<T>(o.writes[0]) + (first + j) * p.y_ld + column, p.y_ld);
  }
}

void AttentionStep(const AttentionParams& p, const EpilogueParams&, const HostOperands& o, ThreadPool& pool) {
  if (p.t == 0) return;
  const size_t head_work = size_t{p.t} * p.t * (2 * p.d + 16);
  ParallelBlocks(pool, size_t{p.n} * p.heads, head_work, AttentionScratch(p, {}),
                 [&](size_t begin, size_t end, float* scratch) {
                   WithElement(o.reads[0].element, [&](auto t) HWY_ATTR {
                     for (size_t i = begin; i < end; ++i)
                       AttendHead<decltype(t)>(p, o, i / p.heads, i % p.heads, scratch);
                   });
                 });
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread::cpu {

INKREAD_CPU_KERNEL(AttentionParams, AttentionStep)
INKREAD_CPU_THREAD_SCRATCH(AttentionParams, AttentionScratch)

}  // namespace inkread::cpu
#endif
