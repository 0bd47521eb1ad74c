#include "backends/gpu/submission.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/round.h"

namespace inkread::gpu {
namespace {

// What is wrong with a job's own input and output; empty if nothing is.
std::string FaultOf(const Job& job, const Member& member) {
  const bool has_image = job.image() != nullptr;
  if ((member.list->image_bytes > 0) != has_image)
    return has_image ? "has an image that it does not read" : "reads an image and has none";
  if (member.host_input_bytes() > 0 && job.host_input() == nullptr) return "has no input";
  if (member.host_output_bytes() > 0 && job.output == nullptr) return "has no output";
  return "";
}

// What is wrong with a member as a part of another one's input; empty if nothing is.
std::string FaultOfPart(const Job& job, const Member& member) {
  if (member.has_parts) return "is a part of an input and has parts itself";
  if (job.output != nullptr) return "is a part of an input and has an output of its own";
  if (!member.list->writes_whole_output) return "is a part of an input and may leave words of its output as they are";
  // Kernels that write several channels at a time need an aligned output.
  const bool is_aligned = member.part_at_bytes % 16 == 0;
  for (const Dispatch& dispatch : member.list->dispatches) {
    if (!is_aligned && dispatch.in_output != 0 && dispatch.variant.kind != StepKind::kImageResize)
      return "is a part of an input that begins in the middle of four floats";
  }
  return "";
}

// Notes in `members` that these are the parts of member `whole`. Returns what is wrong with them; empty if nothing is.
std::string SetParts(std::span<const InputPart> parts, size_t whole, std::span<Member> members) {
  if (parts.empty()) return "";
  members[whole].has_parts = true;
  std::vector<std::pair<uint64_t, uint64_t>> ranges;  // first byte, size
  for (const InputPart& part : parts) {
    if (part.job >= members.size() || part.job == whole) return StrCat("has job ", part.job, " as a part of its input");
    Member& source = members[part.job];
    if (source.part_of) return StrCat("has job ", part.job, " as a part of its input, which is one already");
    source.part_of = whole;
    source.part_at_bytes = part.first_float * sizeof(float);
    ranges.emplace_back(source.part_at_bytes, source.list->output_bytes);
  }
  std::sort(ranges.begin(), ranges.end());
  uint64_t end = 0;
  bool is_seamless = true;
  for (const auto& [at, bytes] : ranges) {
    is_seamless &= at == end;
    end += bytes;
  }
  return is_seamless && end == members[whole].list->input_bytes ? "" : "has parts that do not give each float once";
}

// The number of levels that a job's kernels have.
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
  for (size_t i = 0; i < jobs.size(); ++i) {
    members[i].list = lists[i];
    members[i].job = i;
  }
  const auto fault = [](size_t job, const std::string& what) { return Internal("job ", job, " of a run ", what); };
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (const std::string wrong = SetParts(jobs[i].parts(), i, members); !wrong.empty()) return fault(i, wrong);
  }
  for (size_t i = 0; i < jobs.size(); ++i) {
    std::string wrong = FaultOf(jobs[i], members[i]);
    if (wrong.empty() && members[i].part_of) wrong = FaultOfPart(jobs[i], members[i]);
    if (!wrong.empty()) return fault(i, wrong);
  }
  return members;
}

std::vector<std::vector<Member>> SubmissionsOf(std::span<const Member> members, uint64_t max_bytes) {
  // By the member whose output the host takes: that member and the parts of its input.
  std::vector<std::vector<size_t>> groups(members.size());
  for (size_t i = 0; i < members.size(); ++i) groups[members[i].part_of.value_or(i)].push_back(i);

  std::vector<std::vector<Member>> submissions;
  uint64_t size_bytes = 0;  // of the last one
  for (const std::vector<size_t>& group : groups) {
    if (group.empty()) continue;
    Packer packer;
    for (size_t i : group) {
      packer.Add(members[i].list->layout.size_bytes);
      packer.Add(members[i].host_output_bytes());
    }
    if (submissions.empty() || size_bytes + packer.size_bytes() > max_bytes) {
      submissions.emplace_back();
      size_bytes = 0;
    }
    size_bytes += packer.size_bytes();
    std::vector<Member>& submission = submissions.back();
    const size_t first = submission.size();
    for (size_t i : group) {
      Member& member = submission.emplace_back(members[i]);
      if (!member.part_of) continue;
      const auto whole = std::find(group.begin(), group.end(), *member.part_of);
      member.part_of = first + static_cast<size_t>(whole - group.begin());
    }
  }
  return submissions;
}

MemoryLayout LayOut(std::span<const Member> members) {
  MemoryLayout layout;
  layout.places.resize(members.size());
  Packer packer;
  for (size_t i = 0; i < members.size(); ++i) layout.places[i].output = packer.Add(members[i].host_output_bytes());
  for (size_t i = 0; i < members.size(); ++i) layout.places[i].block = packer.Add(members[i].list->layout.size_bytes);
  for (size_t i = 0; i < members.size(); ++i) {
    const Member& m = members[i];
    if (!m.part_of) continue;
    const size_t whole = *m.part_of;
    layout.places[i].output = layout.places[whole].block + members[whole].list->layout.input + m.part_at_bytes;
  }
  layout.size_bytes = packer.size_bytes();
  return layout;
}

std::vector<Submitted> InOrder(std::span<const Member> members) {
  std::vector<size_t> next(members.size(), 0);
  std::vector<uint32_t> first_level(members.size(), 0);
  std::vector<size_t> running;  // members with kernels left
  for (size_t i = 0; i < members.size(); ++i) {
    if (!members[i].list->dispatches.empty()) running.push_back(i);
    if (!members[i].part_of) continue;
    uint32_t& first = first_level[*members[i].part_of];
    first = std::max(first, NumLevels(*members[i].list));
  }
  const auto is_done = [&](size_t member) { return next[member] == members[member].list->dispatches.size(); };
  const auto level_of = [&](size_t member, size_t dispatch) {
    return first_level[member] + members[member].list->dispatches[dispatch].level;
  };
  std::vector<Submitted> order;
  while (!running.empty()) {
    uint32_t level = UINT32_MAX;
    for (size_t member : running) level = std::min(level, level_of(member, next[member]));
    uint32_t num_phases = 1;
    for (uint32_t phase = 0; phase < num_phases; ++phase) {
      bool is_first = true;
      for (size_t member : running) {
        const std::vector<Dispatch>& dispatches = members[member].list->dispatches;
        for (size_t i = next[member]; i < dispatches.size() && level_of(member, i) == level; ++i) {
          num_phases = std::max(num_phases, dispatches[i].phase + 1);
          if (dispatches[i].phase != phase) continue;
          order.push_back({static_cast<uint32_t>(member), static_cast<uint32_t>(i), is_first && !order.empty()});
          is_first = false;
        }
      }
    }
    for (size_t member : running) {
      while (!is_done(member) && level_of(member, next[member]) == level) ++next[member];
    }
    std::erase_if(running, is_done);
  }
  return order;
}

}  // namespace inkread::gpu
