// Sums and products that detect overflow, for every number that comes from a file.
#ifndef INKREAD_BASE_CHECKED_H_
#define INKREAD_BASE_CHECKED_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace inkread {

// The sum; nothing if it overflows int64_t.
inline std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// The product of all factors; nothing if it overflows int64_t.
inline std::optional<int64_t> CheckedProduct(std::span<const int64_t> factors) {
  int64_t product = 1;
  for (int64_t f : factors) {
    if (__builtin_mul_overflow(product, f, &product)) return std::nullopt;
  }
  return product;
}
inline std::optional<int64_t> CheckedProduct(std::initializer_list<int64_t> factors) {
  return CheckedProduct(std::span<const int64_t>(factors.begin(), factors.size()));
}

}  // namespace inkread

#endif  // INKREAD_BASE_CHECKED_H_
