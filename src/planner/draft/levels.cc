#include <algorithm>

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
  std::stable_sort(draft.steps.begin(), draft.steps.end(),
                   [](const DraftStep& a, const DraftStep& b) { return a.step.level < b.step.level; });
}

}  // namespace inkread
