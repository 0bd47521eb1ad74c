// Several jobs as one submission: where each lies within the memory that they share, and the order of their kernels
// with the barriers that it takes. Plain data, no device.
#ifndef INKREAD_BACKENDS_GPU_SUBMISSION_H_
#define INKREAD_BACKENDS_GPU_SUBMISSION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/gpu/dispatch.h"

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

// How many of the jobs, from the first on and at least one, may run together: those whose blocks, one behind another,
// take at most `most_bytes`. `jobs` is not empty.
size_t CountTogether(std::span<const DispatchList* const> jobs, uint64_t most_bytes);

// One kernel of a submission.
struct Submitted {
  uint32_t job = 0, dispatch = 0;
  bool barrier_before = false;  // it needs what kernels before it have written
  friend bool operator==(const Submitted&, const Submitted&) = default;
};

// Level by level, all jobs' steps of a level together. Barriers stand between levels, and within a level between the
// phases of steps that have several.
std::vector<Submitted> InOrder(std::span<const DispatchList* const> jobs);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_SUBMISSION_H_
