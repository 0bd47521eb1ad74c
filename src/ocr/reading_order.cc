// PaddleOCR's sorted_boxes.
#include "ocr/reading_order.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace inkread {
namespace {

constexpr int kSameLine = 10;  // px of the source, whatever its size

}  // namespace

void SortInReadingOrder(std::vector<DetBox>* boxes) {
  std::vector<DetBox>& b = *boxes;
  std::stable_sort(b.begin(), b.end(), [](const DetBox& l, const DetBox& r) {
    return std::pair(l.quad[0].y, l.quad[0].x) < std::pair(r.quad[0].y, r.quad[0].x);
  });
  for (size_t i = 1; i < b.size(); ++i) {
    for (size_t j = i; j > 0; --j) {
      const Point left = b[j - 1].quad[0], right = b[j].quad[0];
      if (std::abs(right.y - left.y) >= kSameLine || right.x >= left.x) break;
      std::swap(b[j - 1], b[j]);
    }
  }
}

}  // namespace inkread
