// Several jobs as one submission: what each takes from the host and gives to it, where each lies within the memory that
// they share, and the order of their kernels with the barriers that it takes. Plain data, no device.
#ifndef INKREAD_BACKENDS_GPU_SUBMISSION_H_
#define INKREAD_BACKENDS_GPU_SUBMISSION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/gpu/dispatch.h"
#include "schedule/backend.h"

namespace inkread::gpu {

inline constexpr uint64_t kBlockAlignment = 256;  // of blocks, and of their parts

// Lays blocks one behind another.
class Packer {
 public:
  // Where a block of `bytes` begins.
  uint64_t Add(uint64_t bytes);
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  uint64_t size_bytes_ = 0;
};

// A job of a submission.
struct Member {
  const DispatchList* list = nullptr;
  bool is_fed = false;
  // How many places further on the job stands that it feeds, so that this holds in any part of the list; 0: it feeds
  // none. Where its output begins in that job's input.
  uint32_t fed_ahead = 0;
  uint64_t feeds_at_bytes = 0;

  // What the host brings before the run, and takes behind it.
  uint64_t host_input_bytes() const { return is_fed ? 0 : list->input_bytes; }
  uint64_t host_output_bytes() const { return fed_ahead != 0 ? 0 : list->output_bytes; }
  uint64_t host_old_output_bytes() const { return list->writes_whole_output ? 0 : host_output_bytes(); }
};

// Errors  kInternal: a job does not keep to what Job says of inputs, outputs, images and feeding; one that feeds may
//         leave words of its output as they are
// lists   one a job
Result<std::vector<Member>> MembersOf(std::span<const Job> jobs, std::span<const DispatchList* const> lists);

// How many of the members, from the first on, may run together: those that take at most `max_bytes`. Those that feed
// another stay with it, and so does at least one job with what feeds it. `members` is not empty.
size_t CountTogether(std::span<const Member> members, uint64_t max_bytes);

struct Placement {
  std::vector<Place> places;  // one a member
  uint64_t size_bytes = 0;
};
// The outputs that the host takes lie before all blocks.
Placement PlacesOf(std::span<const Member> members);

// One kernel of a submission.
struct Submitted {
  uint32_t job = 0, dispatch = 0;
  bool barrier_before = false;  // it needs what kernels before it have written
  friend bool operator==(const Submitted&, const Submitted&) = default;
};

// Level by level, all jobs' steps of a level together. Barriers stand between levels, and within a level between the
// phases of steps that have several. The levels of a job that is fed begin behind the last one of those that feed it.
std::vector<Submitted> InOrder(std::span<const Member> members);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_SUBMISSION_H_
