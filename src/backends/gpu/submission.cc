#include "backends/gpu/submission.h"

#include <algorithm>
#include <utility>

#include "base/round.h"

namespace inkread::gpu {
namespace {

// What is wrong with a job and its own memory; empty where nothing is.
const char* FaultOf(const Job& job, const Member& member) {
  if ((member.list->image_bytes > 0) != (job.image != nullptr))
    return job.image != nullptr ? "has an image that it does not read" : "reads an image and has none";
  if (member.host_input_bytes() > 0 && job.input == nullptr) return "has no input";
  if (member.host_output_bytes() > 0 && job.output == nullptr) return "has no output";
  if (member.fed_ahead == 0) return "";
  if (!member.list->writes_whole_output) return "feeds another and may leave words of its output as they are";
  // Kernels that take several channels at a time count on where an output begins.
  const bool is_aligned = member.feeds_at_bytes % 16 == 0;
  for (const Dispatch& dispatch : member.list->dispatches) {
    if (!is_aligned && dispatch.in_output != 0 && dispatch.variant.kind != StepKind::kImageResize)
      return "feeds another in the middle of four floats";
  }
  return "";
}

// Whether the outputs of `feeders` make up an input, all of it and each byte once.
bool MakeUp(uint64_t input_bytes, std::span<const Member> feeders) {
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  for (const Member& m : feeders) parts.emplace_back(m.feeds_at_bytes, m.list->output_bytes);
  std::sort(parts.begin(), parts.end());
  uint64_t end = 0;
  for (const auto& [at, bytes] : parts) {
    if (at != end) return false;
    end += bytes;
  }
  return end == input_bytes;
}

// The levels that a job's kernels take.
uint32_t NumLevels(const DispatchList& list) {
  uint32_t levels = 0;
  for (const Dispatch& dispatch : list.dispatches) levels = std::max(levels, dispatch.level + 1);
  return levels;
}

}  // namespace

uint64_t Packer::Add(uint64_t bytes) {
  const uint64_t at = size_bytes_;
  size_bytes_ += RoundUp(bytes, kBlockAlignment);
  return at;
}

Result<std::vector<Member>> MembersOf(std::span<const Job> jobs, std::span<const DispatchList* const> lists) {
  INKREAD_CHECK(jobs.size() == lists.size());
  std::vector<Member> members(jobs.size());
  const auto fault = [](size_t job, const auto& what) { return Internal("job ", job, " of a run ", what); };
  size_t first = 0;  // of those that feed the next job that feeds none
  for (size_t i = 0; i < jobs.size(); ++i) {
    members[i].list = lists[i];
    if (jobs[i].feeds >= 0) {
      const auto fed = static_cast<size_t>(jobs[i].feeds);
      if (fed <= i || fed >= jobs.size()) return fault(i, "feeds one that does not stand behind it");
      members[i].fed_ahead = static_cast<uint32_t>(fed - i);
      members[i].feeds_at_bytes = jobs[i].feeds_at * sizeof(float);
    } else {
      for (size_t feeder = first; feeder < i; ++feeder) {
        if (feeder + members[feeder].fed_ahead != i) return fault(feeder, "does not feed the next one that feeds none");
      }
      members[i].is_fed = first < i;
      if (members[i].is_fed && !MakeUp(lists[i]->input_bytes, std::span(members).subspan(first, i - first)))
        return fault(i, "is fed, but not each float of its input once");
      first = i + 1;
    }
    if (const char* const wrong = FaultOf(jobs[i], members[i]); *wrong != 0) return fault(i, wrong);
  }
  return members;
}

size_t CountTogether(std::span<const Member> members, uint64_t max_bytes) {
  Packer packer;
  size_t count = 0;  // up to a job that feeds none
  for (size_t i = 0; i < members.size(); ++i) {
    packer.Add(members[i].list->layout.size_bytes);
    packer.Add(members[i].host_output_bytes());
    if (count > 0 && packer.size_bytes() > max_bytes) break;
    if (members[i].fed_ahead == 0) count = i + 1;
  }
  return count;
}

Placement PlacesOf(std::span<const Member> members) {
  Placement placement;
  placement.places.resize(members.size());
  Packer packer;
  for (size_t i = 0; i < members.size(); ++i) placement.places[i].output = packer.Add(members[i].host_output_bytes());
  for (size_t i = 0; i < members.size(); ++i)
    placement.places[i].block = packer.Add(members[i].list->layout.size_bytes);
  for (size_t i = 0; i < members.size(); ++i) {
    const Member& m = members[i];
    if (m.fed_ahead == 0) continue;
    const size_t fed = i + m.fed_ahead;
    placement.places[i].output = placement.places[fed].block + members[fed].list->layout.input + m.feeds_at_bytes;
  }
  placement.size_bytes = packer.size_bytes();
  return placement;
}

std::vector<Submitted> InOrder(std::span<const Member> members) {
  std::vector<size_t> next(members.size(), 0);
  std::vector<uint32_t> first_level(members.size(), 0);
  std::vector<size_t> running;  // jobs with kernels left
  for (size_t job = 0; job < members.size(); ++job) {
    if (!members[job].list->dispatches.empty()) running.push_back(job);
    if (members[job].fed_ahead == 0) continue;
    uint32_t& fed = first_level[job + members[job].fed_ahead];
    fed = std::max(fed, NumLevels(*members[job].list));
  }
  const auto is_done = [&](size_t job) { return next[job] == members[job].list->dispatches.size(); };
  const auto level_of = [&](size_t job, size_t dispatch) {
    return first_level[job] + members[job].list->dispatches[dispatch].level;
  };
  std::vector<Submitted> order;
  while (!running.empty()) {
    uint32_t level = UINT32_MAX;
    for (size_t job : running) level = std::min(level, level_of(job, next[job]));
    uint32_t num_phases = 1;
    for (uint32_t phase = 0; phase < num_phases; ++phase) {
      bool is_first = true;
      for (size_t job : running) {
        const std::vector<Dispatch>& dispatches = members[job].list->dispatches;
        for (size_t i = next[job]; i < dispatches.size() && level_of(job, i) == level; ++i) {
          num_phases = std::max(num_phases, dispatches[i].phase + 1);
          if (dispatches[i].phase != phase) continue;
          order.push_back({static_cast<uint32_t>(job), static_cast<uint32_t>(i), is_first && !order.empty()});
          is_first = false;
        }
      }
    }
    for (size_t job : running) {
      while (!is_done(job) && level_of(job, next[job]) == level) ++next[job];
    }
    std::erase_if(running, is_done);
  }
  return order;
}

}  // namespace inkread::gpu
