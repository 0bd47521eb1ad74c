// Which rows of its operands a step needs for some rows of its results. Bands (Step::band) rest on it.
#ifndef INKREAD_SCHEDULE_ROWS_H_
#define INKREAD_SCHEDULE_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "schedule/step.h"

namespace inkread {

// A unit is what a step makes at a time: a row of results, or the rows that come from one row of x where that makes
// several (conv_transpose), or the partial sum of a row (global_pool).
struct RowRule {
  uint32_t images = 0;
  uint32_t units = 0;             // of one image
  uint32_t results_per_unit = 1;  // rows of writes[0]; 0: the result has no rows (global_pool)
  uint32_t x_rows = 0;
  uint32_t stride = 1, pad = 0, window = 1;  // unit u needs rows [u * stride - pad, + window) of x ...
  uint32_t repeat = 1;                       // ... or row u / repeat

  // Units [begin, end), at least one, need rows [FirstX(begin), EndX(end)) of reads[0]. Of reads[2] they need the rows
  // of the results.
  uint32_t FirstX(uint32_t begin) const {
    const int64_t first = int64_t{begin / repeat} * stride - pad;
    return static_cast<uint32_t>(std::clamp<int64_t>(first, 0, x_rows));
  }
  uint32_t EndX(uint32_t end) const {
    const int64_t last = int64_t{(end - 1) / repeat} * stride - pad + window;
    return static_cast<uint32_t>(std::clamp<int64_t>(last, 0, x_rows));
  }
};

// Absent for steps whose results are not made of rows.
std::optional<RowRule> RowRuleOf(const Step& step);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_ROWS_H_
