// What our kernels are like, for the room that lays out their work (gpu/dispatch.h).
#ifndef INKREAD_BACKENDS_VULKAN_TRAITS_H_
#define INKREAD_BACKENDS_VULKAN_TRAITS_H_

#include <cstdint>
#include <vector>

#include "backends/gpu/dispatch.h"
#include "backends/vulkan/shaders.h"

namespace inkread::vulkan {

// lanes         threads of a subgroup, where matrix units are used; kEmulatedUnits take 32
// shared_bytes  what a group may share
gpu::GpuTraits TraitsOf(Arithmetic arithmetic, uint32_t lanes, uint32_t shared_bytes);

// The same, each with one tile alone and one run of depthwise_conv: between them what is wanted of a schedule by any of
// its network's sizes.
std::vector<gpu::GpuTraits> ForOtherSizes(const gpu::GpuTraits& traits);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_TRAITS_H_
