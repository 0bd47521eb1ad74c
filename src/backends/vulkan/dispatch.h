// A step as what a GPU is told: kernels with their variant, number of groups and push constants. Plain data, no device.
#ifndef INKREAD_BACKENDS_VULKAN_DISPATCH_H_
#define INKREAD_BACKENDS_VULKAN_DISPATCH_H_

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "schedule/schedule.h"

namespace inkread::vulkan {

// One pipeline: a kernel and its specialisation constants, by their ids.
struct KernelVariant {
  StepKind kind{};
  std::array<uint32_t, 4> constants{};
  auto operator<=>(const KernelVariant&) const = default;
};

// Where a run's blocks lie within the memory that it is given, in bytes.
struct BlockLayout {
  uint64_t input = 0, output = 0, arena = 0, scratch = 0;
  uint64_t size_bytes = 0;
};

struct Dispatch {
  KernelVariant variant;
  uint64_t groups = 0;
  uint32_t step = 0;   // of the schedule
  uint32_t phase = 0;  // within the step; each needs what the one before has written
  // What kernels/step.glsl declares. Words [first_offset, first_offset + 9) are offsets; those with a bit in
  // `in_block` count from the run's memory, which is not known here: its place is added.
  std::array<uint32_t, 32> push{};
  uint32_t push_words = 0;
  uint32_t in_block = 0;
};

struct DispatchList {
  BlockLayout layout;
  std::vector<Dispatch> dispatches;  // in the order of their steps, a step's phases in a row
};

// Errors  kInternal (weights in a form that the kernels do not read), kUnsupported (larger than 32-bit words can count)
Result<DispatchList> DispatchesOf(const Schedule& schedule);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_DISPATCH_H_
