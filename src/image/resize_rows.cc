// Inner loops of a resize. Integer vectors have 128 bits, float vectors any length.
#include "image/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "image/resize_rows.cc"
#include "hwy/foreach_target.h"
// After foreach_target
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace inkread {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void StretchRowOf(const uint8_t* first, const uint8_t* second, const int16_t* weights, size_t n, int16_t* to) {
  for (size_t i = 0; i < n; ++i)
    to[i] = static_cast<int16_t>((first[i] * weights[2 * i] + second[i] * weights[2 * i + 1]) >> 4);
}

void BlendRowsOf(const int16_t* a, const int16_t* b, int16_t v, int16_t w, size_t n, uint8_t* to) {
  for (size_t i = 0; i < n; ++i) to[i] = static_cast<uint8_t>(((a[i] * v >> 16) + (b[i] * w >> 16) + 2) >> 2);
}

#else

using D16 = hn::FixedTag<int16_t, 8>;
using D32 = hn::Repartition<int32_t, D16>;
using DBytes = hn::FixedTag<uint8_t, 8>;

HWY_INLINE hn::Vec<D16> LoadBytes(const uint8_t* p) { return hn::PromoteTo(D16(), hn::LoadU(DBytes(), p)); }

// The sum of each pair of products, divided by 16.
HWY_INLINE hn::Vec<hn::Half<D16> > PairSums(hn::Vec<D16> pairs, const int16_t* weights) {
  hn::Vec<D32> odd = hn::Zero(D32());
  const auto sum = hn::ReorderWidenMulAccumulate(D32(), pairs, hn::LoadU(D16(), weights), hn::Zero(D32()), odd);
  return hn::DemoteTo(hn::Half<D16>(), hn::ShiftRight<4>(hn::RearrangeToOddPlusEven(sum, odd)));
}

void StretchRowOf(const uint8_t* first, const uint8_t* second, const int16_t* weights, size_t n, int16_t* to) {
  for (size_t i = 0; i < n; i += 8) {
    const auto p = LoadBytes(first + i), q = LoadBytes(second + i);
    const auto low = PairSums(hn::InterleaveLower(D16(), p, q), weights + 2 * i);
    const auto high = PairSums(hn::InterleaveUpper(D16(), p, q), weights + 2 * i + 8);
    hn::StoreU(hn::Combine(D16(), high, low), D16(), to + i);
  }
}

void BlendRowsOf(const int16_t* a, const int16_t* b, int16_t v, int16_t w, size_t n, uint8_t* to) {
  const auto vs = hn::Set(D16(), v), ws = hn::Set(D16(), w), two = hn::Set(D16(), int16_t{2});
  for (size_t i = 0; i < n; i += 8) {
    const auto high_a = hn::MulHigh(hn::LoadU(D16(), a + i), vs), high_b = hn::MulHigh(hn::LoadU(D16(), b + i), ws);
    const auto sum = hn::ShiftRight<2>(hn::Add(hn::Add(high_a, high_b), two));
    hn::StoreU(hn::DemoteTo(DBytes(), sum), DBytes(), to + i);
  }
}

#endif

void NormaliseRowOf(const uint8_t* bytes, size_t num_pixels, const Normalisation& normalisation, float* to) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<int32_t, decltype(df)> di;
  const hn::Rebind<uint8_t, decltype(df)> db;
  constexpr size_t kLanes = hn::MaxLanes(df);
  // Three vectors hold a whole number of pixels.
  HWY_ALIGN float high[3 * kLanes], low[3 * kLanes], shift[3 * kLanes];
  for (size_t i = 0; i < 3 * kLanes; ++i) {
    high[i] = normalisation.high[i % 3];
    low[i] = normalisation.low[i % 3];
    shift[i] = normalisation.shift[i % 3];
  }
  const auto gain = hn::Set(df, normalisation.gain);
  size_t x = 0;
  for (; x + kLanes <= num_pixels; x += kLanes) {
    for (size_t k = 0; k < 3 * kLanes; k += kLanes) {
      const auto u = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(db, bytes + 3 * x + k)));
      const auto product = hn::Add(hn::Mul(u, hn::Load(df, high + k)), hn::Mul(u, hn::Load(df, low + k)));
      hn::StoreU(hn::Mul(hn::Add(product, hn::Load(df, shift + k)), gain), df, to + 3 * x + k);
    }
  }
  for (; x < num_pixels; ++x) {
    for (int c = 0; c < 3; ++c) to[3 * x + c] = normalisation(c, bytes[3 * x + c]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace inkread {

HWY_EXPORT(StretchRowOf);
void StretchRow(const uint8_t* first, const uint8_t* second, const int16_t* weights, size_t n, int16_t* to) {
  HWY_DYNAMIC_DISPATCH(StretchRowOf)(first, second, weights, n, to);
}

HWY_EXPORT(BlendRowsOf);
void BlendRows(const int16_t* a, const int16_t* b, int16_t v, int16_t w, size_t n, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(BlendRowsOf)(a, b, v, w, n, to);
}

HWY_EXPORT(NormaliseRowOf);
void NormaliseRow(const uint8_t* bytes, size_t num_pixels, const Normalisation& normalisation, float* to) {
  HWY_DYNAMIC_DISPATCH(NormaliseRowOf)(bytes, num_pixels, normalisation, to);
}

}  // namespace inkread
#endif
