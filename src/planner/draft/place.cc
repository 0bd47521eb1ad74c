#include <algorithm>

#include "planner/arena.h"
#include "planner/draft/passes.h"

namespace inkread {
namespace {

constexpr uint32_t kUnused = UINT32_MAX;

// The size of each buffer in the arena and the levels at which it is in use; first_level is kUnused for all others.
std::vector<ArenaBuffer> LifetimesOf(const DraftSchedule& draft) {
  std::vector<ArenaBuffer> lifetimes(draft.buffers.size(), {0, kUnused, 0, 0});
  const std::vector<DraftStep>& steps = draft.steps;
  for (size_t first = 0, last = 0; first < steps.size(); first = last) {
    const uint32_t band = steps[first].step.band;
    for (last = first + 1; band != 0 && last < steps.size() && steps[last].step.band == band;) ++last;
    const uint32_t first_of_band = steps[first].step.level, last_of_band = steps[last - 1].step.level;
    for (size_t i = first; i < last; ++i) {
      const uint32_t level = steps[i].step.level;
      ForEachOperand(steps[i], [&](int b, const Operand& operand) {
        if (draft.buffers[b].space != Space::kArena) return;
        // A tensor that comes into a band or leaves it is in use as long as any step of the band may run.
        const bool is_inner = operand.band_value != 0 && !operand.leaves_band;
        ArenaBuffer& life = lifetimes[b];
        life.size_bytes = draft.buffers[b].size_bytes();
        life.first_level = std::min(life.first_level, is_inner ? level : first_of_band);
        life.last_level = std::max(life.last_level, is_inner ? level : last_of_band);
      });
    }
  }
  return lifetimes;
}

}  // namespace

void PlaceBuffers(DraftSchedule& draft) {
  const std::vector<ArenaBuffer> lifetimes = LifetimesOf(draft);
  std::vector<ArenaBuffer> used;
  std::vector<int> index(lifetimes.size(), -1);  // of each buffer in `used`
  for (size_t b = 0; b < lifetimes.size(); ++b) {
    if (lifetimes[b].first_level == kUnused) continue;
    index[b] = static_cast<int>(used.size());
    used.push_back(lifetimes[b]);
  }
  draft.schedule.arena_bytes = PlaceInArena(used);
  for (DraftStep& s : draft.steps) {
    ForEachOperand(s, [&](int b, Operand& operand) {
      operand.space = draft.buffers[b].space;
      if (index[b] >= 0) operand.offset_bytes += used[index[b]].offset_bytes;
    });
  }
}

}  // namespace inkread
