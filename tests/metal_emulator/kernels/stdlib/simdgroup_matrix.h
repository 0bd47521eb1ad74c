// simdgroup_matrix<T, 8, 8>: a matrix that the lanes of a simdgroup hold together.
//
// One lane, the simdgroup's leader, has the whole matrix and does all the work, when it gets there; the others only
// keep account of what they asked for. That is right for kernels whose lanes all make the same calls with the same
// arguments between barriers, as Metal demands; that they did is checked at the next meeting point and at the end.
// Elements are kept as f32: a half matrix holds values that f16 can hold. Sums run over k upward from c, each product
// and each sum rounded to f32; a half result is rounded once at the end.
#ifndef INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SIMDGROUP_MATRIX_H_
#define INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SIMDGROUP_MATRIX_H_

#include "tests/metal_emulator/kernels/stdlib/groups.h"

namespace metal {

template <class T, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "there are 8x8 matrices only");
  static_assert(std::is_same<T, half>::value || std::is_same<T, float>::value, "of half or float");
  simdgroup_matrix() = default;
  // `diagonal` on the diagonal, 0 elsewhere.
  explicit simdgroup_matrix(T diagonal) {
    for (int i = 0; i < 64; ++i) elements[i] = i % 9 == 0 ? static_cast<float>(diagonal) : 0.0f;
  }
  alignas(16) float elements[64];  // by rows
};

typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;

// Keeps account of a call of the whole simdgroup; true for the lane that does its work.
inline bool Leads(uint what) {
  metal_emulator::now.calls = (metal_emulator::now.calls ^ what) * 0x9e3779b1u + 0x7f4a7c15u;
  return metal_emulator::now.leads;
}
inline bool LeadsAt(uint what, const char* address, ulong stride, bool transposed) {
  const uint64_t mixed = reinterpret_cast<uintptr_t>(address) * 31u + stride * 2u + (transposed ? 1u : 0u);
  return Leads(what ^ uint(mixed) ^ uint(mixed >> 32));
}

template <class T, int Columns, int Rows>
inline simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, Columns, Rows> result;
  if (Leads(1)) {
    for (float& element : result.elements) element = static_cast<float>(value);
  }
  return result;
}

// For as long as it lives, what the lane touches is touched by its simdgroup.
class AsSimdgroup {
 public:
  AsSimdgroup() : mark_(metal_emulator::now.mark) { metal_emulator::now.mark = metal_emulator::MarkOfSimdgroup(); }
  ~AsSimdgroup() { metal_emulator::now.mark = mark_; }
  AsSimdgroup(const AsSimdgroup&) = delete;
  AsSimdgroup& operator=(const AsSimdgroup&) = delete;

 private:
  int32_t mark_;
};

template <class T, class U, metal_emulator::Space S>
inline void simdgroup_load(simdgroup_matrix<T, 8, 8>& d, const ptr<U, S>& source, ulong elements_per_row = 8,
                           vec<ulong, 2> origin = vec<ulong, 2>(0), bool transpose = false,
                           int line = __builtin_LINE()) {
  static_assert(std::is_same<std::remove_const_t<U>, T>::value, "simdgroup_load converts nothing");
  if (!LeadsAt(uint(line) * 8 + 2, source.address(), elements_per_row, transpose)) return;
  const AsSimdgroup whole;
  const char* row = source.address() + (origin.y * elements_per_row + origin.x) * sizeof(T);
  for (int r = 0; r < 8; ++r, row += elements_per_row * sizeof(T)) {
    metal_emulator::NoteAccess<S>(source.memory(), row, 8 * sizeof(T), alignof(T), false);
    T values[8];
    std::memcpy(static_cast<void*>(values), row, sizeof(values));
    for (int c = 0; c < 8; ++c) d.elements[transpose ? c * 8 + r : r * 8 + c] = static_cast<float>(values[c]);
  }
}

template <class T, metal_emulator::Space S>
inline void simdgroup_store(const simdgroup_matrix<T, 8, 8>& a, const ptr<T, S>& destination,
                            ulong elements_per_row = 8, vec<ulong, 2> origin = vec<ulong, 2>(0), bool transpose = false,
                            int line = __builtin_LINE()) {
  if (!LeadsAt(uint(line) * 8 + 3, destination.address(), elements_per_row, transpose)) return;
  const AsSimdgroup whole;
  char* row = destination.address() + (origin.y * elements_per_row + origin.x) * sizeof(T);
  for (int r = 0; r < 8; ++r, row += elements_per_row * sizeof(T)) {
    metal_emulator::NoteAccess<S>(destination.memory(), row, 8 * sizeof(T), alignof(T), true);
    T values[8];
    for (int c = 0; c < 8; ++c) values[c] = T(a.elements[transpose ? c * 8 + r : r * 8 + c]);
    std::memcpy(row, static_cast<const void*>(values), sizeof(values));
  }
}

// sums + a * b into d, by halves of rows.
typedef float Float4 __attribute__((vector_size(16)));
inline void MultiplyInto(float* d, const float* a, const float* b, const float* sums) {
  const Float4* b4 = reinterpret_cast<const Float4*>(b);
  Float4 result[16];
  for (int r = 0; r < 8; ++r) {
    Float4 left = reinterpret_cast<const Float4*>(sums)[r * 2],
           right = reinterpret_cast<const Float4*>(sums)[r * 2 + 1];
    for (int k = 0; k < 8; ++k) {
      const float s = a[r * 8 + k];
      const Float4 scale = {s, s, s, s};
      left += scale * b4[k * 2];
      right += scale * b4[k * 2 + 1];
    }
    result[r * 2] = left;
    result[r * 2 + 1] = right;
  }
  std::memcpy(d, result, sizeof(result));
}
template <class T>
inline void RoundElements(simdgroup_matrix<T, 8, 8>* matrix) {
  if (std::is_same<T, float>::value) return;
  for (float& element : matrix->elements) element = static_cast<float>(T(element));
}

// d = a * b + c. Metal allows half factors with float sums.
template <class D, class A, class B, class C>
inline void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                                          const simdgroup_matrix<B, 8, 8>& b, const simdgroup_matrix<C, 8, 8>& c,
                                          int line = __builtin_LINE()) {
  if (!Leads(uint(line) * 8 + 4)) return;
  MultiplyInto(d.elements, a.elements, b.elements, c.elements);
  RoundElements(&d);
}
template <class D, class A, class B>
inline void simdgroup_multiply(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                               const simdgroup_matrix<B, 8, 8>& b, int line = __builtin_LINE()) {
  if (!Leads(uint(line) * 8 + 5)) return;
  alignas(16) const float zeros[64] = {};
  MultiplyInto(d.elements, a.elements, b.elements, zeros);
  RoundElements(&d);
}

}  // namespace metal

#endif  // INKREAD_TESTS_METAL_EMULATOR_KERNELS_STDLIB_SIMDGROUP_MATRIX_H_
