// A schedule as what a GPU is told: for each step its kernels with their variants, the number of workgroups, and push
// constants. Plain data, no device: what any GPU backend would otherwise write for itself. What is particular to a kind
// stands in steps/.
//
// A run's input, arena and scratch lie in one block of memory. Its output has a place of its own, which may be a part
// of another run's input. The weights and an image are memory of their own.
#ifndef INKREAD_BACKENDS_GPU_DISPATCH_H_
#define INKREAD_BACKENDS_GPU_DISPATCH_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/gpu/steps/tuning.h"
#include "backends/gpu/steps/variant.h"
#include "base/status.h"
#include "schedule/schedule.h"

namespace inkread::gpu {

// Where a run's parts lie within its block, in bytes. An image that is the input is not among them.
struct BlockLayout {
  uint64_t input = 0, arena = 0, scratch = 0;
  uint64_t size_bytes = 0;
};

// Where a run's block and its output begin in the memory that both lie in, in bytes, multiples of 4.
struct Place {
  uint64_t block = 0, output = 0;
};

// 32-bit words: the 128 bytes of push constants that every Vulkan device promises.
inline constexpr uint32_t kMaxPushConstants = 32;

// The push constants are, in this order: the step's params; its epilogue, where its kind has one (HasEpilogue); the
// offsets of its operands (Work::operands). An offset counts the operand's own elements from the start of its memory:
// the weights of a matrix those of their form, 8-bit pixels 32-bit words. It is 0 for an operand that is not there.
struct Dispatch {
  KernelVariant variant;
  uint64_t workgroups = 0;  // at least 1
  uint32_t threads = 0;     // of a workgroup
  uint32_t step = 0;        // of the schedule
  uint32_t level = 0;       // the step's
  uint32_t phase = 0;       // within the step; each needs what the one before has written
  std::array<uint32_t, kMaxPushConstants> push_constants{};
  uint32_t num_push_constants = 0;
  // Bit i: push constant i counts from the start of the run's block, or of its output; PushConstantsAt adds their
  // places.
  uint32_t in_block = 0, in_output = 0;
  uint32_t in_16_bits = 0;  // bit i: push constant i counts elements of two bytes, not of four
};

struct DispatchList {
  BlockLayout layout;
  std::vector<Dispatch> dispatches;  // in the order of their steps, a step's phases in a row
  uint64_t input_bytes = 0;          // in the block: 0 where the input is an image
  uint64_t image_bytes = 0;          // of the image that is the input; 0 where it is none
  uint64_t output_bytes = 0;
  // False: the run may leave words of the output as they are, so what the caller's output holds has to be copied into
  // its place before the run.
  bool writes_whole_output = false;
};

// Errors  kInternal (weights in a form that the kernels do not read), kUnsupported (larger than 32 bits can count)
Result<DispatchList> DispatchesOf(const Schedule& schedule, const GpuTarget& target);

// The kernels of any schedule that reads an image, to compile ahead: variant and threads, no work.
std::vector<Dispatch> ImageKernels(const GpuTarget& target);

// What Compile of any GPU backend begins with: the dispatches, for a device with `weights_bytes` of weights whose
// buffers hold max_buffer_bytes.
//
// who     the device, for messages
// Errors  those of DispatchesOf; kInternal (fewer weights than the schedule expects), kOutOfMemory (a run is too large)
Result<DispatchList> DispatchesFor(const Schedule& schedule, const GpuTarget& target, uint64_t weights_bytes,
                                   uint64_t max_buffer_bytes, const std::string& who);

// The push constants of a dispatch of a run that lies there.
std::array<uint32_t, kMaxPushConstants> PushConstantsAt(const Dispatch& dispatch, const Place& place);

}  // namespace inkread::gpu

#endif  // INKREAD_BACKENDS_GPU_DISPATCH_H_
