// Long lines in parts that overlap.
#include "ocr/long_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inkread {
namespace {

constexpr int kLongestInput = 16000;  // columns; RecInputWidth squeezes what is longer
// Columns; multiples of what any network makes a step of, so that the steps of neighbours are of the same columns.
constexpr int kStride = 8000, kShared = 480;
constexpr int kMaxParts = 16;
// Steps at the ends of a part whose characters may be cut; a character has 6 or fewer.
constexpr size_t kUnsure = 8;

constexpr int32_t kBlank = 0;

// Of `count` steps that two parts have in common, those that are taken from the left part.
size_t NumFromLeft(std::span<const CtcStep> left, std::span<const CtcStep> right) {
  const size_t count = left.size();
  size_t best = count / 2, best_length = 0;
  const size_t end = count > 2 * kUnsure ? count - kUnsure : count;
  for (size_t i = count > 2 * kUnsure ? kUnsure : 0; i < end;) {
    size_t length = 0;
    while (i + length < end && left[i + length].index == kBlank && right[i + length].index == kBlank) ++length;
    if (length > best_length) {
      best = i + (length + 1) / 2;
      best_length = length;
    }
    i += length + 1;
  }
  return best;
}

}  // namespace

std::vector<LinePart> PartsOfLine(int width, int height, RecWidthRule rule) {
  const double columns = std::ceil(static_cast<double>(kRecHeight) * width / height);
  if (rule == RecWidthRule::kOfficial || columns <= kLongestInput)
    return {{0, RecInputWidth(width, height, rule), 0, 1}};
  const int total = static_cast<int>(std::min(columns, static_cast<double>(kMaxParts) * kStride));
  std::vector<LinePart> parts;
  for (int first = 0; parts.empty() || first + kShared < total; first += kStride) {
    LinePart part;
    part.first_column = first;
    const int used = std::min(kStride + kShared, total - first);
    part.width = RecInputWidth(used, kRecHeight, rule);
    part.begin = static_cast<double>(first) / total;
    part.end = static_cast<double>(first + used) / total;
    parts.push_back(part);
  }
  return parts;
}

RecWidth WholeWidth(std::span<const LinePart> parts) {
  const LinePart& last = parts.back();
  return {last.first_column + last.width.total, last.first_column + last.width.used};
}

std::vector<CtcStep> JoinParts(std::span<const LinePart> parts, std::span<const std::vector<CtcStep>> steps) {
  std::vector<CtcStep> joined = steps[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    // Both in steps. The left part ends with what it has in common with this one.
    const double columns_per_step = static_cast<double>(parts[i].width.total) / static_cast<double>(steps[i].size());
    const size_t first = static_cast<size_t>(std::lround(parts[i].first_column / columns_per_step));
    const size_t count = std::min(joined.size() - std::min(first, joined.size()), steps[i].size());
    const auto common = std::span(joined).subspan(joined.size() - count);
    const size_t from_left = NumFromLeft(common, std::span(steps[i]).first(count));
    joined.resize(joined.size() - count + from_left);
    joined.insert(joined.end(), steps[i].begin() + static_cast<ptrdiff_t>(from_left), steps[i].end());
  }
  return joined;
}

}  // namespace inkread
