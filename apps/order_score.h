// How well the order of found lines agrees with that of the truth. bench/result_format.md has the rules.
#ifndef INKREAD_APPS_ORDER_SCORE_H_
#define INKREAD_APPS_ORDER_SCORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/line_match.h"

namespace inkread {

// Sums over images.
struct OrderScore {
  int64_t pairs = 0;           // of neighbouring lines of the truth, those that were not found left out
  int64_t pairs_in_order = 0;  // that are neighbours among the found lines too, in the same direction

  std::optional<double> Share() const;  // nothing where there are no pairs
};

void AddOrder(const std::vector<PlacedLine>& truth, const std::vector<PlacedLine>& found, OrderScore* score);

}  // namespace inkread

#endif  // INKREAD_APPS_ORDER_SCORE_H_
