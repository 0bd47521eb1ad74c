#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/draft/passes.h"

namespace inkread {

void AssignLevels(DraftSchedule& draft) {
  std::vector<uint32_t> readable_from(draft.buffers.size(), 0);  // first level at which a buffer is written
  for (DraftStep& s : draft.steps) {
    uint32_t level = 0;
    for (int b : s.read_buffers) {
      if (b >= 0) level = std::max(level, readable_from[b]);
    }
    s.step.level = level;
    for (int b : s.write_buffers) {
      if (b >= 0) readable_from[b] = std::max(readable_from[b], level + 1);
    }
  }
}

void SortByLevel(DraftSchedule& draft) {
  std::vector<uint32_t> order(draft.steps.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return draft.steps[a].step.level < draft.steps[b].step.level; });
  std::vector<DraftStep> sorted;  // a step is large: each is moved once
  sorted.reserve(draft.steps.size());
  for (uint32_t i : order) sorted.push_back(std::move(draft.steps[i]));
  draft.steps = std::move(sorted);
}

}  // namespace inkread
