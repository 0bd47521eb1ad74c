// Metal's vectors of 2, 3 and 4 scalars, and their packed forms.
//
// Members x y z w (r g b a) and the swizzles xy, yz, zw, xz, yw, xyz, yzw, lo, hi. A vector of 3 takes the room of 4.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_VECTORS_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_VECTORS_H_

#include "tests/metal_emulator/kernels/stdlib/scalars.h"

namespace metal {

template <class T, int N>
struct vec;

// Some of the elements of a vector in whose union it lies.
template <class T, int... I>
struct swizzle {
  operator vec<T, sizeof...(I)>() const { return vec<T, sizeof...(I)>(elements[I]...); }
  swizzle& operator=(const vec<T, sizeof...(I)>& value) {
    int i = 0;
    const int expand[] = {(elements[I] = value[i++], 0)...};
    (void)expand;
    return *this;
  }
  swizzle& operator=(const swizzle& other) { return *this = static_cast<vec<T, sizeof...(I)>>(other); }
  swizzle() = default;
  swizzle(const swizzle&) = default;
  T elements[4];
};

template <class T, int N>
struct packed_vec;

template <class T>
struct alignas(2 * sizeof(T)) vec<T, 2> {
  vec() = default;
  vec(T value) : x(value), y(value) {}
  vec(T x_value, T y_value) : x(x_value), y(y_value) {}
  template <class U>
  explicit vec(const vec<U, 2>& v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)) {}
  vec(const packed_vec<T, 2>& v) : x(v.elements[0]), y(v.elements[1]) {}
  T& operator[](int i) { return elements[i]; }
  const T& operator[](int i) const { return elements[i]; }
  union {
    struct {
      T x, y;
    };
    struct {
      T r, g;
    };
    T elements[2];
  };
};

template <class T>
struct alignas(4 * sizeof(T)) vec<T, 3> {
  vec() = default;
  vec(const vec&) = default;
  vec& operator=(const vec& other) {
    for (int i = 0; i < 3; ++i) elements[i] = other.elements[i];
    return *this;
  }
  vec(T value) : x(value), y(value), z(value) {}
  vec(T x_value, T y_value, T z_value) : x(x_value), y(y_value), z(z_value) {}
  vec(const vec<T, 2>& v, T z_value) : x(v.x), y(v.y), z(z_value) {}
  vec(T x_value, const vec<T, 2>& v) : x(x_value), y(v.x), z(v.y) {}
  template <class U>
  explicit vec(const vec<U, 3>& v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}
  vec(const packed_vec<T, 3>& v) : x(v.elements[0]), y(v.elements[1]), z(v.elements[2]) {}
  T& operator[](int i) { return elements[i]; }
  const T& operator[](int i) const { return elements[i]; }
  union {
    struct {
      T x, y, z;
    };
    struct {
      T r, g, b;
    };
    T elements[4];
    swizzle<T, 0, 1> xy;
    swizzle<T, 1, 2> yz;
    swizzle<T, 0, 2> xz;
  };
};

template <class T>
struct alignas(4 * sizeof(T)) vec<T, 4> {
  vec() = default;
  vec(const vec&) = default;
  vec& operator=(const vec& other) {
    for (int i = 0; i < 4; ++i) elements[i] = other.elements[i];
    return *this;
  }
  vec(T value) : x(value), y(value), z(value), w(value) {}
  vec(T x_value, T y_value, T z_value, T w_value) : x(x_value), y(y_value), z(z_value), w(w_value) {}
  vec(const vec<T, 2>& a, const vec<T, 2>& c) : x(a.x), y(a.y), z(c.x), w(c.y) {}
  vec(const vec<T, 2>& a, T z_value, T w_value) : x(a.x), y(a.y), z(z_value), w(w_value) {}
  vec(const vec<T, 3>& a, T w_value) : x(a.x), y(a.y), z(a.z), w(w_value) {}
  template <class U>
  explicit vec(const vec<U, 4>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)), w(static_cast<T>(v.w)) {}
  vec(const packed_vec<T, 4>& v) : x(v.elements[0]), y(v.elements[1]), z(v.elements[2]), w(v.elements[3]) {}
  T& operator[](int i) { return elements[i]; }
  const T& operator[](int i) const { return elements[i]; }
  union {
    struct {
      T x, y, z, w;
    };
    struct {
      T r, g, b, a;
    };
    T elements[4];
    swizzle<T, 0, 1> xy, lo;
    swizzle<T, 1, 2> yz;
    swizzle<T, 2, 3> zw, hi;
    swizzle<T, 0, 2> xz;
    swizzle<T, 1, 3> yw;
    swizzle<T, 0, 1, 2> xyz;
    swizzle<T, 1, 2, 3> yzw;
  };
};

template <class T, int N>
struct packed_vec {
  packed_vec() = default;
  packed_vec(const vec<T, N>& v) {
    for (int i = 0; i < N; ++i) elements[i] = v[i];
  }
  T& operator[](int i) { return elements[i]; }
  const T& operator[](int i) const { return elements[i]; }
  T elements[N];
};

// A scalar beside a vector becomes one of its elements: never by losing bits, as from float to half.
template <class T, class U>
struct Broadcasts : std::integral_constant<bool, IsScalar<U>::value && (std::is_same<value_t<U>, T>::value ||
                                                                        std::is_integral<value_t<U>>::value)> {};

#define METAL_EMULATOR_VECTOR_OP(op)                                                                               \
  template <class T, int N>                                                                                        \
  inline vec<decltype(T() op T()), N> operator op(const vec<T, N>& a, const vec<T, N>& b) {                        \
    vec<decltype(T() op T()), N> result;                                                                           \
    for (int i = 0; i < N; ++i) result[i] = a[i] op b[i];                                                          \
    return result;                                                                                                 \
  }                                                                                                                \
  template <class T, int N, class U>                                                                               \
  inline std::enable_if_t<Broadcasts<T, U>::value, vec<decltype(T() op T()), N>> operator op(const vec<T, N>& a,   \
                                                                                             const U& b) {         \
    return a op vec<T, N>(static_cast<T>(static_cast<value_t<U>>(b)));                                             \
  }                                                                                                                \
  template <class T, int N, class U>                                                                               \
  inline std::enable_if_t<Broadcasts<T, U>::value, vec<decltype(T() op T()), N>> operator op(const U& a,           \
                                                                                             const vec<T, N>& b) { \
    return vec<T, N>(static_cast<T>(static_cast<value_t<U>>(a))) op b;                                             \
  }
METAL_EMULATOR_VECTOR_OP(==)
METAL_EMULATOR_VECTOR_OP(!=)
METAL_EMULATOR_VECTOR_OP(<)
METAL_EMULATOR_VECTOR_OP(<=)
METAL_EMULATOR_VECTOR_OP(>)
METAL_EMULATOR_VECTOR_OP(>=)
#undef METAL_EMULATOR_VECTOR_OP

#define METAL_EMULATOR_VECTOR_OP(op)                                                                        \
  template <class T, int N>                                                                                 \
  inline vec<T, N> operator op(const vec<T, N>& a, const vec<T, N>& b) {                                    \
    vec<T, N> result;                                                                                       \
    for (int i = 0; i < N; ++i) result[i] = static_cast<T>(a[i] op b[i]);                                   \
    return result;                                                                                          \
  }                                                                                                         \
  template <class T, int N, class U>                                                                        \
  inline std::enable_if_t<Broadcasts<T, U>::value, vec<T, N>> operator op(const vec<T, N>& a, const U& b) { \
    return a op vec<T, N>(static_cast<T>(static_cast<value_t<U>>(b)));                                      \
  }                                                                                                         \
  template <class T, int N, class U>                                                                        \
  inline std::enable_if_t<Broadcasts<T, U>::value, vec<T, N>> operator op(const U& a, const vec<T, N>& b) { \
    return vec<T, N>(static_cast<T>(static_cast<value_t<U>>(a))) op b;                                      \
  }                                                                                                         \
  template <class T, int N, class U>                                                                        \
  inline vec<T, N>& operator op##=(vec<T, N>& a, const U& b) {                                              \
    return a = a op b;                                                                                      \
  }
METAL_EMULATOR_VECTOR_OP(+)
METAL_EMULATOR_VECTOR_OP(-)
METAL_EMULATOR_VECTOR_OP(*)
METAL_EMULATOR_VECTOR_OP(/)
METAL_EMULATOR_VECTOR_OP(%)
METAL_EMULATOR_VECTOR_OP(<<)
METAL_EMULATOR_VECTOR_OP(>>)
METAL_EMULATOR_VECTOR_OP(&)
METAL_EMULATOR_VECTOR_OP(|)
METAL_EMULATOR_VECTOR_OP(^)
#undef METAL_EMULATOR_VECTOR_OP

template <class T, int N>
inline vec<T, N> operator-(const vec<T, N>& a) {
  vec<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = -a[i];
  return result;
}
template <int N>
inline vec<bool, N> operator!(const vec<bool, N>& a) {
  vec<bool, N> result;
  for (int i = 0; i < N; ++i) result[i] = !a[i];
  return result;
}
template <int N>
inline vec<bool, N> operator&&(const vec<bool, N>& a, const vec<bool, N>& b) {
  return a & b;
}
template <int N>
inline vec<bool, N> operator||(const vec<bool, N>& a, const vec<bool, N>& b) {
  return a | b;
}

#define METAL_EMULATOR_VECTORS(type)            \
  typedef vec<type, 2> type##2;                 \
  typedef vec<type, 3> type##3;                 \
  typedef vec<type, 4> type##4;                 \
  typedef packed_vec<type, 2> packed_##type##2; \
  typedef packed_vec<type, 3> packed_##type##3; \
  typedef packed_vec<type, 4> packed_##type##4;
METAL_EMULATOR_VECTORS(half)
METAL_EMULATOR_VECTORS(float)
METAL_EMULATOR_VECTORS(char)
METAL_EMULATOR_VECTORS(uchar)
METAL_EMULATOR_VECTORS(short)
METAL_EMULATOR_VECTORS(ushort)
METAL_EMULATOR_VECTORS(int)
METAL_EMULATOR_VECTORS(uint)
METAL_EMULATOR_VECTORS(ulong)
METAL_EMULATOR_VECTORS(bool)
#undef METAL_EMULATOR_VECTORS

}  // namespace metal

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_VECTORS_H_
