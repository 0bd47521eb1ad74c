#include "backends/gpu/submission.h"

#include <algorithm>

#include "base/round.h"

namespace inkread::gpu {

uint64_t Packer::Add(uint64_t bytes) {
  const uint64_t at = size_bytes_;
  size_bytes_ += RoundUp(bytes, kBlockAlignment);
  return at;
}

size_t CountTogether(std::span<const DispatchList* const> jobs, uint64_t most_bytes) {
  Packer packer;
  size_t count = 0;
  for (const DispatchList* job : jobs) {
    packer.Add(job->layout.size_bytes);
    if (packer.size_bytes() > most_bytes) break;
    ++count;
  }
  return std::max<size_t>(count, 1);
}

std::vector<Submitted> InOrder(std::span<const DispatchList* const> jobs) {
  constexpr uint32_t kDone = UINT32_MAX;
  std::vector<size_t> next(jobs.size(), 0);
  const auto level_of = [&](size_t job, size_t dispatch) {
    const std::vector<Dispatch>& dispatches = jobs[job]->dispatches;
    return dispatch < dispatches.size() ? dispatches[dispatch].level : kDone;
  };
  std::vector<Submitted> order;
  while (true) {
    uint32_t level = kDone;
    for (size_t job = 0; job < jobs.size(); ++job) level = std::min(level, level_of(job, next[job]));
    if (level == kDone) return order;
    uint32_t num_phases = 1;
    for (uint32_t phase = 0; phase < num_phases; ++phase) {
      bool is_first = true;
      for (size_t job = 0; job < jobs.size(); ++job) {
        for (size_t i = next[job]; level_of(job, i) == level; ++i) {
          const Dispatch& dispatch = jobs[job]->dispatches[i];
          num_phases = std::max(num_phases, dispatch.phase + 1);
          if (dispatch.phase != phase) continue;
          order.push_back({static_cast<uint32_t>(job), static_cast<uint32_t>(i), is_first && !order.empty()});
          is_first = false;
        }
      }
    }
    for (size_t job = 0; job < jobs.size(); ++job) {
      while (level_of(job, next[job]) == level) ++next[job];
    }
  }
}

}  // namespace inkread::gpu
