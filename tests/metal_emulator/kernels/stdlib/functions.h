// Metal's functions of scalars and, element by element, of vectors. A function of several takes one type, as Metal's
// do: max(h, 1.0f) with a half h is an error here and there.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_FUNCTIONS_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_FUNCTIONS_H_

#include "tests/metal_emulator/kernels/stdlib/vectors.h"

namespace metal {

template <class T>
struct IsFloating : std::integral_constant<bool, std::is_same<T, float>::value || std::is_same<T, half>::value> {};

// How one element is computed: half in float, rounded once at the end.
struct Scalar {
  static float rsqrt(float v) { return 1.0f / std::sqrt(v); }
  static float saturate(float v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; }
  static float sign(float v) { return v > 0.0f ? 1.0f : v < 0.0f ? -1.0f : 0.0f; }
  static float fract(float v) { return v - std::floor(v); }
  static float exp10(float v) { return std::pow(10.0f, v); }
  static float divide(float a, float b) { return a / b; }
  static float step(float edge, float v) { return v < edge ? 0.0f : 1.0f; }
};

#define METAL_EMULATOR_FUNCTION(name, call)                                             \
  template <class A>                                                                    \
  inline std::enable_if_t<IsFloating<value_t<A>>::value, value_t<A>> name(const A& a) { \
    return value_t<A>(call(static_cast<float>(static_cast<value_t<A>>(a))));            \
  }                                                                                     \
  template <class T, int N>                                                             \
  inline std::enable_if_t<IsFloating<T>::value, vec<T, N>> name(const vec<T, N>& a) {   \
    vec<T, N> result;                                                                   \
    for (int i = 0; i < N; ++i) result[i] = name(a[i]);                                 \
    return result;                                                                      \
  }
METAL_EMULATOR_FUNCTION(exp, std::exp)
METAL_EMULATOR_FUNCTION(exp2, std::exp2)
METAL_EMULATOR_FUNCTION(exp10, Scalar::exp10)
METAL_EMULATOR_FUNCTION(log, std::log)
METAL_EMULATOR_FUNCTION(log2, std::log2)
METAL_EMULATOR_FUNCTION(log10, std::log10)
METAL_EMULATOR_FUNCTION(sqrt, std::sqrt)
METAL_EMULATOR_FUNCTION(rsqrt, Scalar::rsqrt)
METAL_EMULATOR_FUNCTION(sin, std::sin)
METAL_EMULATOR_FUNCTION(cos, std::cos)
METAL_EMULATOR_FUNCTION(tanh, std::tanh)
METAL_EMULATOR_FUNCTION(floor, std::floor)
METAL_EMULATOR_FUNCTION(ceil, std::ceil)
METAL_EMULATOR_FUNCTION(rint, std::rint)
METAL_EMULATOR_FUNCTION(round, std::round)
METAL_EMULATOR_FUNCTION(trunc, std::trunc)
METAL_EMULATOR_FUNCTION(fabs, std::fabs)
METAL_EMULATOR_FUNCTION(saturate, Scalar::saturate)
METAL_EMULATOR_FUNCTION(sign, Scalar::sign)
METAL_EMULATOR_FUNCTION(fract, Scalar::fract)
#undef METAL_EMULATOR_FUNCTION

#define METAL_EMULATOR_FUNCTION(name, call)                                                                         \
  template <class A, class B>                                                                                       \
  inline std::enable_if_t<IsFloating<value_t<A>>::value && std::is_same<value_t<A>, value_t<B>>::value, value_t<A>> \
  name(const A& a, const B& b) {                                                                                    \
    return value_t<A>(                                                                                              \
        call(static_cast<float>(static_cast<value_t<A>>(a)), static_cast<float>(static_cast<value_t<A>>(b))));      \
  }                                                                                                                 \
  template <class T, int N>                                                                                         \
  inline std::enable_if_t<IsFloating<T>::value, vec<T, N>> name(const vec<T, N>& a, const vec<T, N>& b) {           \
    vec<T, N> result;                                                                                               \
    for (int i = 0; i < N; ++i) result[i] = name(a[i], b[i]);                                                       \
    return result;                                                                                                  \
  }
METAL_EMULATOR_FUNCTION(pow, std::pow)
METAL_EMULATOR_FUNCTION(fmod, std::fmod)
METAL_EMULATOR_FUNCTION(step, Scalar::step)
METAL_EMULATOR_FUNCTION(copysign, std::copysign)
#undef METAL_EMULATOR_FUNCTION

// The smaller or greater; of a number and a NaN the number. Beside a vector a scalar stands for all its elements.
#define METAL_EMULATOR_CHOICE(name, op, condition)                                                                    \
  template <class A, class B>                                                                                         \
  inline std::enable_if_t<IsScalar<A>::value && std::is_same<value_t<A>, value_t<B>>::value && condition, value_t<A>> \
  name(const A& a_in, const B& b_in) {                                                                                \
    const value_t<A> a = a_in, b = b_in;                                                                              \
    return b op a || a != a ? b : a;                                                                                  \
  }                                                                                                                   \
  template <class T, int N>                                                                                           \
  inline vec<T, N> name(const vec<T, N>& a, const vec<T, N>& b) {                                                     \
    vec<T, N> result;                                                                                                 \
    for (int i = 0; i < N; ++i) result[i] = name(a[i], b[i]);                                                         \
    return result;                                                                                                    \
  }                                                                                                                   \
  template <class T, int N, class B>                                                                                  \
  inline std::enable_if_t<Broadcasts<T, B>::value, vec<T, N>> name(const vec<T, N>& a, const B& b) {                  \
    return name(a, vec<T, N>(static_cast<T>(static_cast<value_t<B>>(b))));                                            \
  }
METAL_EMULATOR_CHOICE(max, >, true)
METAL_EMULATOR_CHOICE(min, <, true)
METAL_EMULATOR_CHOICE(fmax, >, IsFloating<value_t<A>>::value)
METAL_EMULATOR_CHOICE(fmin, <, IsFloating<value_t<A>>::value)
#undef METAL_EMULATOR_CHOICE

template <class A, class B, class C>
inline std::enable_if_t<IsScalar<A>::value && std::is_same<value_t<A>, value_t<B>>::value &&
                            std::is_same<value_t<A>, value_t<C>>::value,
                        value_t<A>>
clamp(const A& v, const B& low, const C& high) {
  return min(max(v, low), high);
}
template <class T, int N, class B, class C>
inline vec<T, N> clamp(const vec<T, N>& v, const B& low, const C& high) {
  return min(max(v, low), high);
}
template <class T, int N>
inline vec<T, N> clamp(const vec<T, N>& v, const vec<T, N>& low, const vec<T, N>& high) {
  return min(max(v, low), high);
}

template <class A>
inline std::enable_if_t<IsScalar<A>::value, value_t<A>> abs(const A& a_in) {
  const value_t<A> a = a_in;
  return a < value_t<A>(0) ? value_t<A>(-a) : IsFloating<value_t<A>>::value && a == value_t<A>(0) ? value_t<A>(0) : a;
}
template <class T, int N>
inline vec<T, N> abs(const vec<T, N>& a) {
  vec<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = metal::abs(a[i]);
  return result;
}

// One rounding. Of half: the f32 product is exact, and its sum with c rounds to f32 first, which can differ from the
// right f16 only where the sum is within 2^-13 of a tie; there double, in which it is exact enough, decides.
inline float Fma(float a, float b, float c) { return std::fma(a, b, c); }
inline half Fma(half a, half b, half c) {
  const double exact = static_cast<double>(float(a)) * float(b) + static_cast<double>(float(c));
  const float nearest = static_cast<float>(exact);
  if (static_cast<double>(nearest) == exact || !std::isfinite(nearest)) return half(nearest);
  // Round to odd, so that the rounding to f16 that follows sees on which side of a tie the sum lies.
  const float toward_zero = std::fabs(static_cast<double>(nearest)) > std::fabs(exact)
                                ? as_type<float>(as_type<uint>(nearest) - 1u)
                                : nearest;
  return half(as_type<float>(as_type<uint>(toward_zero) | 1u));
}
template <class A, class B, class C>
inline std::enable_if_t<IsFloating<value_t<A>>::value && std::is_same<value_t<A>, value_t<B>>::value &&
                            std::is_same<value_t<A>, value_t<C>>::value,
                        value_t<A>>
fma(const A& a, const B& b, const C& c) {
  return Fma(static_cast<value_t<A>>(a), static_cast<value_t<A>>(b), static_cast<value_t<A>>(c));
}
template <class T, int N>
inline vec<T, N> fma(const vec<T, N>& a, const vec<T, N>& b, const vec<T, N>& c) {
  vec<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = Fma(a[i], b[i], c[i]);
  return result;
}

template <class A, class B, class C>
inline std::enable_if_t<IsFloating<value_t<A>>::value && std::is_same<value_t<A>, value_t<B>>::value &&
                            std::is_same<value_t<A>, value_t<C>>::value,
                        value_t<A>>
mix(const A& a, const B& b, const C& t) {
  return a + (b - a) * t;
}
template <class T, int N, class C>
inline vec<T, N> mix(const vec<T, N>& a, const vec<T, N>& b, const C& t) {
  return a + (b - a) * t;
}

// b where c, else a.
template <class A, class B>
inline std::enable_if_t<IsScalar<A>::value && std::is_same<value_t<A>, value_t<B>>::value, value_t<A>> select(
    const A& a, const B& b, bool c) {
  return c ? static_cast<value_t<A>>(b) : static_cast<value_t<A>>(a);
}
template <class T, int N>
inline vec<T, N> select(const vec<T, N>& a, const vec<T, N>& b, const vec<bool, N>& c) {
  vec<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = c[i] ? b[i] : a[i];
  return result;
}
template <int N>
inline bool any(const vec<bool, N>& v) {
  bool result = false;
  for (int i = 0; i < N; ++i) result = result || v[i];
  return result;
}
template <int N>
inline bool all(const vec<bool, N>& v) {
  bool result = true;
  for (int i = 0; i < N; ++i) result = result && v[i];
  return result;
}
template <class T, int N>
inline T dot(const vec<T, N>& a, const vec<T, N>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum = T(sum + a[i] * b[i]);
  return sum;
}

template <class A>
inline std::enable_if_t<IsFloating<value_t<A>>::value, bool> isnan(const A& a) {
  return std::isnan(static_cast<float>(static_cast<value_t<A>>(a)));
}
template <class A>
inline std::enable_if_t<IsFloating<value_t<A>>::value, bool> isinf(const A& a) {
  return std::isinf(static_cast<float>(static_cast<value_t<A>>(a)));
}
template <class A>
inline std::enable_if_t<IsFloating<value_t<A>>::value, bool> isfinite(const A& a) {
  return std::isfinite(static_cast<float>(static_cast<value_t<A>>(a)));
}

inline uint popcount(uint v) { return uint(__builtin_popcount(v)); }
inline uint clz(uint v) { return v == 0 ? 32 : uint(__builtin_clz(v)); }
inline uint ctz(uint v) { return v == 0 ? 32 : uint(__builtin_ctz(v)); }
inline uint mulhi(uint a, uint b) { return uint(uint64_t{a} * b >> 32); }

// Both are the functions above: hardware's fast ones are allowed to be this exact.
#define METAL_EMULATOR_PRECISION(name)                    \
  namespace name {                                        \
  using metal::clamp;                                     \
  using metal::cos;                                       \
  using metal::exp;                                       \
  using metal::exp10;                                     \
  using metal::exp2;                                      \
  using metal::fabs;                                      \
  using metal::floor;                                     \
  using metal::fma;                                       \
  using metal::fmax;                                      \
  using metal::fmin;                                      \
  using metal::fmod;                                      \
  using metal::log;                                       \
  using metal::log10;                                     \
  using metal::log2;                                      \
  using metal::max;                                       \
  using metal::min;                                       \
  using metal::pow;                                       \
  using metal::rint;                                      \
  using metal::round;                                     \
  using metal::rsqrt;                                     \
  using metal::sin;                                       \
  using metal::sqrt;                                      \
  using metal::tanh;                                      \
  using metal::trunc;                                     \
  inline float divide(float a, float b) { return a / b; } \
  }
METAL_EMULATOR_PRECISION(precise)
METAL_EMULATOR_PRECISION(fast)
#undef METAL_EMULATOR_PRECISION

}  // namespace metal

#ifndef INFINITY
#define INFINITY __builtin_huge_valf()
#endif
#ifndef NAN
#define NAN __builtin_nanf("")
#endif
#ifndef FLT_MAX
#define FLT_MAX __FLT_MAX__
#endif
#ifndef HALF_MAX
#define HALF_MAX ::metal::half(65504.0f)
#endif

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_FUNCTIONS_H_
