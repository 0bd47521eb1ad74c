// The jobs of a run as submissions: which jobs run together, what each takes from the host and gives to it, where each
// is in the memory that a submission shares, and the order of the kernels with the barriers between them. Plain data,
// no device.
#ifndef INKREAD_BACKENDS_GPU_SUBMISSION_H_
#define INKREAD_BACKENDS_GPU_SUBMISSION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/gpu/dispatch.h"
#include "schedule/backend.h"

namespace inkread::gpu {

inline constexpr uint64_t kBlockAlignment = 256;  // bytes, of blocks and of their parts

// Assigns consecutive offsets to blocks.
class Packer {
 public:
  // The offset of a block of `bytes`.
  uint64_t Add(uint64_t bytes);
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  uint64_t size_bytes_ = 0;
};

// A job among others: those of a run, or those of one submission.
struct Member {
  const DispatchList* list = nullptr;
  size_t job = 0;          // index in the run's list of jobs
  bool has_parts = false;  // its input consists of other members' outputs
  // The member whose input receives this one's output, by its index among the same members, and the offset within that
  // input. Nothing: the output goes to the host.
  std::optional<size_t> part_of{};
  uint64_t part_at_bytes = 0;

  // What the host copies in before the run and out after it.
  uint64_t host_input_bytes() const { return has_parts ? 0 : list->input_bytes; }
  uint64_t host_output_bytes() const { return part_of ? 0 : list->output_bytes; }
  uint64_t host_old_output_bytes() const { return list->writes_whole_output ? 0 : host_output_bytes(); }
};

// All jobs of a run, in their order.
//
// lists   one per job
// Errors  kInternal: a job breaks a rule of Job or JobInput; a part may leave words of its output unwritten, or begins
//         where its kernels cannot write
Result<std::vector<Member>> MembersOf(std::span<const Job> jobs, std::span<const DispatchList* const> lists);

// Cuts the members of a run into submissions that take at most `max_bytes` each. A member runs in the same submission
// as the parts of its input; if these alone take more than `max_bytes`, they still form one submission.
std::vector<std::vector<Member>> SubmissionsOf(std::span<const Member> members, uint64_t max_bytes);

// Where each member's block and output are in the memory of a submission. Outputs for the host come before all blocks.
struct MemoryLayout {
  std::vector<Place> places;  // one per member
  uint64_t size_bytes = 0;
};
MemoryLayout LayOut(std::span<const Member> members);

// One kernel of a submission.
struct Submitted {
  uint32_t member = 0, dispatch = 0;
  bool barrier_before = false;  // it reads what kernels before it have written
  friend bool operator==(const Submitted&, const Submitted&) = default;
};

// Level by level, with the steps of all members at a level together. There is a barrier between two levels, and within
// a level between the phases of steps that have several. The levels of a member whose input has parts begin after the
// last level of those parts.
std::vector<Submitted> InOrder(std::span<const Member> members);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_SUBMISSION_H_
