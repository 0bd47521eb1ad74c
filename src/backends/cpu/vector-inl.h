// What all kernels share, compiled once per SIMD target: whole and partial vectors, exp, the activations, the maximum
// of a row.
//
// Every function gives a lane the same value at any position and with any number of lanes in use, so a result does not
// depend on how work is cut into vectors.
#include "hwy/highway.h"

#if defined(INKREAD_BACKENDS_CPU_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef INKREAD_BACKENDS_CPU_VECTOR_INL_H_
#undef INKREAD_BACKENDS_CPU_VECTOR_INL_H_
#else
#define INKREAD_BACKENDS_CPU_VECTOR_INL_H_
#endif

#include <cstddef>
#include <limits>

#include "schedule/step.h"

HWY_BEFORE_NAMESPACE();
namespace inkread::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
inline constexpr D kD;
inline constexpr size_t kLanes = hn::MaxLanes(D());

// Whether masked loads and stores leave masked lanes alone. Other targets go through a copy, since a neighbouring lane
// may belong to another thread.
#define INKREAD_MASKS_ARE_EXACT (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

// The first n lanes from p, the rest 0. n is at least 1; from kLanes on it means a whole vector.
HWY_INLINE V LoadPart(const float* HWY_RESTRICT p, size_t n) {
  if (n >= kLanes) return hn::LoadU(kD, p);
#if INKREAD_MASKS_ARE_EXACT
  return hn::MaskedLoad(hn::FirstN(kD, n), kD, p);
#else
  HWY_ALIGN float lanes[kLanes] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return hn::Load(kD, lanes);
#endif
}

HWY_INLINE void StorePart(V v, float* HWY_RESTRICT p, size_t n) {
  if (n >= kLanes) {
    hn::StoreU(v, kD, p);
    return;
  }
#if INKREAD_MASKS_ARE_EXACT
  hn::BlendedStore(v, hn::FirstN(kD, n), kD, p);
#else
  HWY_ALIGN float lanes[kLanes];
  hn::Store(v, kD, lanes);
  for (size_t i = 0; i < n; ++i) p[i] = lanes[i];
#endif
}

// What the arena holds if the device stores 16 bits. Kernels are written once for float and Bf16: they load, widen and
// round by these functions.
using Bf16 = hwy::bfloat16_t;
using DHalf = hn::Rebind<uint16_t, D>;

HWY_INLINE V Widen(hn::Vec<DHalf> halves) {
  return hn::BitCast(kD, hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), halves)));
}

// AVX-512 BF16 rounds by one instruction, which Highway does not have. Under AVX3 only processors that have it store
// Bf16 (FindBf16Unit).
#define INKREAD_NARROWS_BY_INSTRUCTION (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

// Rounds to nearest even. A NaN whose bits are all ones need not stay one.
HWY_INLINE hn::Vec<DHalf> Narrow(V v) {
#if INKREAD_NARROWS_BY_INSTRUCTION
  __m256i halves;
  asm("vcvtneps2bf16 %1, %0" : "=v"(halves) : "v"(v.raw));
  return hn::Vec<DHalf>{halves};
#else
  constexpr hn::RebindToUnsigned<D> kDU;
  const auto bits = hn::BitCast(kDU, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(kDU, 1));
  return hn::TruncateTo(DHalf(), hn::ShiftRight<16>(hn::Add(hn::Add(bits, odd), hn::Set(kDU, 0x7fff))));
#endif
}

HWY_INLINE V LoadWhole(const float* p) { return hn::LoadU(kD, p); }
HWY_INLINE V LoadWhole(const Bf16* p) { return Widen(hn::LoadU(DHalf(), reinterpret_cast<const uint16_t*>(p))); }
HWY_INLINE void StoreWhole(V v, float* p) { hn::StoreU(v, kD, p); }
HWY_INLINE void StoreWhole(V v, Bf16* p) { hn::StoreU(Narrow(v), DHalf(), reinterpret_cast<uint16_t*>(p)); }
// Two vectors side by side.
HWY_INLINE void StoreTwo(V low, V high, float* p) {
  hn::StoreU(low, kD, p);
  hn::StoreU(high, kD, p + kLanes);
}
HWY_INLINE void StoreTwo(V low, V high, Bf16* p) {
#if INKREAD_NARROWS_BY_INSTRUCTION
  __m512i halves;
  asm("vcvtne2ps2bf16 %2, %1, %0" : "=v"(halves) : "v"(high.raw), "v"(low.raw));
  _mm512_storeu_si512(p, halves);
#else
  StoreWhole(low, p);
  StoreWhole(high, p + kLanes);
#endif
}

#define INKREAD_HALF_MASKS_ARE_EXACT (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

HWY_INLINE V LoadPart(const Bf16* p, size_t n) {
  if (n >= kLanes) return LoadWhole(p);
  const uint16_t* from = reinterpret_cast<const uint16_t*>(p);
#if INKREAD_HALF_MASKS_ARE_EXACT
  return Widen(hn::MaskedLoad(hn::FirstN(DHalf(), n), DHalf(), from));
#else
  HWY_ALIGN uint16_t lanes[kLanes] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = from[i];
  return Widen(hn::Load(DHalf(), lanes));
#endif
}

HWY_INLINE void StorePart(V v, Bf16* p, size_t n) {
  if (n >= kLanes) return StoreWhole(v, p);
  uint16_t* to = reinterpret_cast<uint16_t*>(p);
#if INKREAD_HALF_MASKS_ARE_EXACT
  hn::BlendedStore(Narrow(v), hn::FirstN(DHalf(), n), DHalf(), to);
#else
  HWY_ALIGN uint16_t lanes[kLanes];
  hn::Store(Narrow(v), DHalf(), lanes);
  for (size_t i = 0; i < n; ++i) to[i] = lanes[i];
#endif
}

// Calls body(T()), where T is the type of such elements.
template <typename Body>
HWY_INLINE void WithElement(uint32_t element, const Body& body) {
  if (element == INKREAD_ELEMENT_BF16) {
    body(Bf16());
  } else {
    body(float());
  }
}

// Relative error at most 2e-7 on [-87, 88]; arguments are clamped to it.
// 2^n exp(r) with x = n ln 2 + r; exp(r) = 1 + r + a polynomial of degree 6, fitted for minimum relative error.
HWY_INLINE V Exp(V x) {
  using DI = hn::RebindToSigned<D>;
  x = hn::Min(hn::Max(x, hn::Set(kD, -87.0f)), hn::Set(kD, 88.0f));
  // Floats of this size are whole numbers, so the last bits of the sum are n, rounded.
  const V whole = hn::Set(kD, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(kD, 1.44269504088896341f), whole);
  const V n = hn::Sub(shifted, whole);
  // ln 2 in two parts, the first short enough that n times it is exact.
  V r = hn::NegMulAdd(n, hn::Set(kD, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(kD, -2.12194440e-4f), r);
  V p = hn::Set(kD, 1.38145401e-3f);
  p = hn::MulAdd(p, r, hn::Set(kD, 8.36874520e-3f));
  p = hn::MulAdd(p, r, hn::Set(kD, 4.16683908e-2f));
  p = hn::MulAdd(p, r, hn::Set(kD, 1.66665204e-1f));
  p = hn::MulAdd(p, r, hn::Set(kD, 4.99999934e-1f));
  p = hn::MulAdd(p, r, hn::Set(kD, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(kD, 1.0f));
  // p is near 1, so adding n to its exponent makes it 2^n p.
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(DI(), shifted));
  return hn::BitCast(kD, hn::Add(hn::BitCast(DI(), p), exponent));
}

HWY_INLINE V Sigmoid(V v) {
  const V one = hn::Set(kD, 1.0f);
  return hn::Div(one, hn::Add(one, Exp(hn::Neg(v))));
}

// Absolute error at most 3e-7 (test: ActivationTest). gelu(v) = max(v, 0) - a * (1 - Phi(a)) with a = |v|, where the
// second term is below 1.9e-7 from 5.4 on. The eighth root of 1 - Phi is smooth, so a polynomial of degree 7 suffices;
// it minimises the maximum error of the term on [0, 5.4].
HWY_INLINE V Gelu(V v) {
  const V a = hn::Min(hn::Abs(v), hn::Set(kD, 5.4f));
  V root = hn::Set(kD, 3.23641348e-06f);
  root = hn::MulAdd(root, a, hn::Set(kD, -3.56711098e-05f));
  root = hn::MulAdd(root, a, hn::Set(kD, -4.00232566e-05f));
  root = hn::MulAdd(root, a, hn::Set(kD, 0.00163059519f));
  root = hn::MulAdd(root, a, hn::Set(kD, -0.000792780018f));
  root = hn::MulAdd(root, a, hn::Set(kD, -0.0318663269f));
  root = hn::MulAdd(root, a, hn::Set(kD, -0.0914721191f));
  root = hn::MulAdd(root, a, hn::Set(kD, 0.917005181f));
  const V square = hn::Mul(root, root);
  const V fourth = hn::Mul(square, square);
  return hn::NegMulAdd(hn::Mul(a, fourth), fourth, hn::Max(v, hn::Zero(kD)));
}

HWY_INLINE V HardSigmoid(V v, V alpha, V beta) {
  return hn::Min(hn::Max(hn::MulAdd(v, alpha, beta), hn::Zero(kD)), hn::Set(kD, 1.0f));
}

// The numbers of an epilogue, in every lane.
struct ActivationNumbers {
  V alpha, beta, scale, offset;
};

template <int kActivation>
HWY_INLINE V Activate(V v, const ActivationNumbers& e) {
  if constexpr (kActivation == INKREAD_ACTIVATION_RELU) return hn::Max(v, hn::Zero(kD));
  if constexpr (kActivation == INKREAD_ACTIVATION_GELU) return Gelu(v);
  if constexpr (kActivation == INKREAD_ACTIVATION_HARD_SIGMOID) return HardSigmoid(v, e.alpha, e.beta);
  if constexpr (kActivation == INKREAD_ACTIVATION_HARD_SWISH)
    return hn::MulAdd(hn::Mul(v, HardSigmoid(v, e.alpha, e.beta)), e.scale, e.offset);
  if constexpr (kActivation == INKREAD_ACTIVATION_SIGMOID) return Sigmoid(v);
  if constexpr (kActivation == INKREAD_ACTIVATION_SWISH) return hn::Mul(v, Sigmoid(v));
  if constexpr (kActivation == INKREAD_ACTIVATION_CLIP) return hn::Min(hn::Max(v, e.alpha), e.beta);
  if constexpr (kActivation == INKREAD_ACTIVATION_AFFINE) return hn::MulAdd(v, e.scale, e.offset);
  return v;
}

// The maximum of `count` values. With a NaN among them it may be any value.
template <typename T>
HWY_INLINE float Largest(const T* x, size_t count) {
  const V lowest = hn::Set(kD, -std::numeric_limits<float>::infinity());
  V m0 = lowest, m1 = lowest, m2 = lowest, m3 = lowest;
  size_t c = 0;
  for (; c + 4 * kLanes <= count; c += 4 * kLanes) {
    m0 = hn::Max(m0, LoadWhole(x + c));
    m1 = hn::Max(m1, LoadWhole(x + c + kLanes));
    m2 = hn::Max(m2, LoadWhole(x + c + 2 * kLanes));
    m3 = hn::Max(m3, LoadWhole(x + c + 3 * kLanes));
  }
  for (; c < count; c += kLanes) {
    const V v = LoadPart(x + c, count - c);
    m0 = hn::Max(m0, count - c < kLanes ? hn::IfThenElse(hn::FirstN(kD, count - c), v, lowest) : v);
  }
  return hn::GetLane(hn::MaxOfLanes(kD, hn::Max(hn::Max(m0, m1), hn::Max(m2, m3))));
}

}  // namespace HWY_NAMESPACE
}  // namespace inkread::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard
