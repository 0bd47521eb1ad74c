// Chooses among idle blocks of memory.
#ifndef INKREAD_BASE_TAKE_FITTING_H_
#define INKREAD_BASE_TAKE_FITTING_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace inkread {

// Removes from `blocks` and returns the smallest block of at least `size`, else the largest. Null if there are none.
//
// size_of  returns the size of a T
template <typename T, typename SizeOf>
std::unique_ptr<T> TakeFitting(std::vector<std::unique_ptr<T>>& blocks, uint64_t size, const SizeOf& size_of) {
  const auto best = std::min_element(blocks.begin(), blocks.end(), [&](const auto& a, const auto& b) {
    const uint64_t size_a = size_of(*a), size_b = size_of(*b);
    if ((size_a >= size) != (size_b >= size)) return size_a >= size;
    return size_a >= size ? size_a < size_b : size_a > size_b;
  });
  if (best == blocks.end()) return nullptr;
  std::unique_ptr<T> taken = std::move(*best);
  blocks.erase(best);
  return taken;
}

}  // namespace inkread

#endif  // INKREAD_BASE_TAKE_FITTING_H_
