// Which steps run together, a few rows of each at a time (Step::band).
#ifndef INKREAD_PLANNER_BANDS_H_
#define INKREAD_PLANNER_BANDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/builder.h"

namespace inkread {

struct Bands {
  std::vector<size_t> order;      // of the steps
  std::vector<uint32_t> band_of;  // by step as given; 0: none
};

// `steps` in an order in which they can run, each buffer written whole by one step or slice by slice by several. A
// band's steps come out in a row. `max_bytes` bounds a band's weights together with the rows that it has in use.
Bands FindBands(std::span<const ScheduleBuilder::PendingStep> steps, uint64_t max_bytes);

}  // namespace inkread

#endif  // INKREAD_PLANNER_BANDS_H_
