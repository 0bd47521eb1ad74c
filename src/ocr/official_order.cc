// PaddleOCR's sorted_boxes.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <utility>

#include "ocr/reading_order.h"

namespace inkread {
namespace {

constexpr int kSameLine = 10;  // px of the source, whatever its size

}  // namespace

std::vector<int> OfficialOrder(std::span<const Quad> quads) {
  const auto corner = [&](int i) { return quads[static_cast<size_t>(i)][0]; };
  std::vector<int> order(quads.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int l, int r) {
    return std::pair(corner(l).y, corner(l).x) < std::pair(corner(r).y, corner(r).x);
  });
  for (size_t i = 1; i < order.size(); ++i) {
    for (size_t j = i; j > 0; --j) {
      const Point left = corner(order[j - 1]), right = corner(order[j]);
      if (std::abs(right.y - left.y) >= kSameLine || right.x >= left.x) break;
      std::swap(order[j - 1], order[j]);
    }
  }
  return order;
}

}  // namespace inkread
