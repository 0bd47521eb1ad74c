#include "apps/order_score.h"

namespace inkread {

std::optional<double> OrderScore::Share() const {
  if (pairs == 0) return std::nullopt;
  return static_cast<double>(pairs_in_order) / static_cast<double>(pairs);
}

void AddOrder(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, OrderScore* score) {
  const LineMatch match = MatchLines(truth, found);
  constexpr size_t kNone = static_cast<size_t>(-1);
  std::vector<size_t> line_of(found.size(), kNone);
  std::vector<size_t> next(truth.size(), kNone);  // the next line of the truth that was found
  size_t later = kNone;
  for (size_t t = truth.size(); t-- > 0;) {
    next[t] = later;
    if (match.found_of[t].empty()) continue;
    if (later != kNone) ++score->pairs;
    later = t;
    for (const int f : match.found_of[t]) line_of[static_cast<size_t>(f)] = t;
  }
  std::vector<bool> in_order(truth.size());
  size_t last = kNone;
  for (const size_t line : line_of) {
    if (line == kNone || line == last) continue;
    if (last != kNone && next[last] == line) in_order[last] = true;
    last = line;
  }
  for (const bool is : in_order) score->pairs_in_order += is ? 1 : 0;
}

}  // namespace inkread
