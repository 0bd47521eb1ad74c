// Metal's scalar types: half, and the arithmetic of half with itself and others.
//
// A half operation rounds once to the nearest f16, ties to even, as hardware does: f32 has more than twice its bits, so
// the f32 result of + - * / rounded again is the right one. half with float gives float, half with an integer half.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SCALARS_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SCALARS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

namespace metal {

using ::uchar;
using ::uint;
using ::ulong;
using ::ushort;
using std::ptrdiff_t;
using std::size_t;

template <class To, class From>
inline To as_type(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "as_type needs types of one size");
  To to;
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(to));
  return to;
}

inline float FloatOfHalf(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000u) << 16;
  // The exponent moves by a multiplication, which also makes denormals right; infinities and NaN are put back by hand.
  const uint32_t shifted = uint32_t(bits & 0x7fffu) << 13;
  const float scaled = as_type<float>(shifted) * as_type<float>(uint32_t{(254 - 15) << 23});
  const uint32_t special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  return as_type<float>(as_type<uint32_t>(scaled) | special | sign);
}

inline uint16_t HalfOfFloat(float value) {
  const uint32_t bits = as_type<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x47800000u) {  // 65536 and up, NaN
    return uint16_t(sign | (magnitude > 0x7f800000u ? 0x7e00u | (magnitude >> 13 & 0x3ffu) : 0x7c00u));
  }
  if (magnitude < 0x38800000u) {  // below 2^-14: the f32 adder rounds to multiples of 2^-24
    const float denormal = as_type<float>(magnitude) + 0.5f;
    return uint16_t(sign | (as_type<uint32_t>(denormal) - 0x3f000000u));
  }
  const uint32_t odd = magnitude >> 13 & 1u;
  return uint16_t(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

// What reading an element gives: a reference (references.h) stands for a value of some type.
template <class T>
struct ValueOf {
  using type = T;
};
template <class T>
using value_t = typename ValueOf<std::remove_cv_t<std::remove_reference_t<T>>>::type;

struct half {
  half() = default;
  half(float value) : bits(HalfOfFloat(value)) {}
  half(double) = delete;  // Metal has no double: a literal without its f
  template <class T, class = std::enable_if_t<std::is_integral<T>::value>>
  half(T value) : half(static_cast<float>(value)) {}
  // Of a reference to a half, which could become one by way of float too.
  template <class T, class = std::enable_if_t<std::is_same<value_t<T>, half>::value && !std::is_same<T, half>::value>,
            class = void>
  explicit half(const T& reference) : bits(reference.operator half().bits) {}
  operator float() const { return FloatOfHalf(bits); }

  template <class T>
  half& operator+=(const T& value);
  template <class T>
  half& operator-=(const T& value);
  template <class T>
  half& operator*=(const T& value);
  template <class T>
  half& operator/=(const T& value);

  uint16_t bits;
};
static_assert(sizeof(half) == 2 && std::is_trivially_default_constructible<half>::value, "half lives in unions");

template <class T>
struct IsScalar
    : std::integral_constant<bool, std::is_arithmetic<value_t<T>>::value || std::is_same<value_t<T>, half>::value> {};
// Not a built-in type itself: it takes the operators below.
template <class T>
struct IsOurScalar : std::integral_constant<bool, IsScalar<T>::value && !std::is_arithmetic<std::decay_t<T>>::value> {};

template <class A, class B>
struct Arithmetic {
  using type = decltype(A() + B());
};
template <>
struct Arithmetic<half, half> {
  using type = half;
};
template <class B>
struct Arithmetic<half, B> {
  using type = std::conditional_t<std::is_integral<B>::value, half, B>;
};
template <class A>
struct Arithmetic<A, half> {
  using type = std::conditional_t<std::is_integral<A>::value, half, A>;
};
template <class A, class B>
using arithmetic_t = typename Arithmetic<value_t<A>, value_t<B>>::type;

// The type that half's operations are done in.
template <class T>
using working_t = std::conditional_t<std::is_same<T, half>::value, float, T>;

// Of operators that C++ does not have itself: both are scalars, and one is ours.
template <class A, class B,
          bool = IsScalar<A>::value&& IsScalar<B>::value && (IsOurScalar<A>::value || IsOurScalar<B>::value)>
struct OurOperator {
  using result = arithmetic_t<A, B>;
  using truth = bool;
};
template <class A, class B>
struct OurOperator<A, B, false> {};

#define METAL_EMULATOR_BINARY(op)                                                                       \
  template <class A, class B>                                                                           \
  inline typename OurOperator<A, B>::result operator op(const A& a, const B& b) {                       \
    using R = arithmetic_t<A, B>;                                                                       \
    using W = working_t<R>;                                                                             \
    return R(static_cast<W>(static_cast<value_t<A>>(a)) op static_cast<W>(static_cast<value_t<B>>(b))); \
  }
METAL_EMULATOR_BINARY(+)
METAL_EMULATOR_BINARY(-)
METAL_EMULATOR_BINARY(*)
METAL_EMULATOR_BINARY(/)
#undef METAL_EMULATOR_BINARY

#define METAL_EMULATOR_INTEGER(op)                                                \
  template <class A, class B>                                                     \
  inline typename OurOperator<A, B>::result operator op(const A& a, const B& b) { \
    return static_cast<value_t<A>>(a) op static_cast<value_t<B>>(b);              \
  }
METAL_EMULATOR_INTEGER(%)
METAL_EMULATOR_INTEGER(<<)
METAL_EMULATOR_INTEGER(>>)
METAL_EMULATOR_INTEGER(&)
METAL_EMULATOR_INTEGER(|)
METAL_EMULATOR_INTEGER(^)
#undef METAL_EMULATOR_INTEGER

#define METAL_EMULATOR_COMPARE(op)                                                                   \
  template <class A, class B>                                                                        \
  inline typename OurOperator<A, B>::truth operator op(const A& a, const B& b) {                     \
    using W = working_t<arithmetic_t<A, B>>;                                                         \
    return static_cast<W>(static_cast<value_t<A>>(a)) op static_cast<W>(static_cast<value_t<B>>(b)); \
  }
METAL_EMULATOR_COMPARE(==)
METAL_EMULATOR_COMPARE(!=)
METAL_EMULATOR_COMPARE(<)
METAL_EMULATOR_COMPARE(<=)
METAL_EMULATOR_COMPARE(>)
METAL_EMULATOR_COMPARE(>=)
#undef METAL_EMULATOR_COMPARE

template <class A>
inline std::enable_if_t<IsOurScalar<A>::value, value_t<A>> operator-(const A& a) {
  using T = value_t<A>;
  return T(-static_cast<working_t<T>>(static_cast<T>(a)));
}
template <class A>
inline std::enable_if_t<IsOurScalar<A>::value, value_t<A>> operator+(const A& a) {
  return static_cast<value_t<A>>(a);
}

template <class T>
inline half& half::operator+=(const T& value) {
  return *this = half(*this + value);
}
template <class T>
inline half& half::operator-=(const T& value) {
  return *this = half(*this - value);
}
template <class T>
inline half& half::operator*=(const T& value) {
  return *this = half(*this * value);
}
template <class T>
inline half& half::operator/=(const T& value) {
  return *this = half(*this / value);
}

}  // namespace metal

using metal::half;

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SCALARS_H_
