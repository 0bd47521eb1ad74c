// The device and our kernels as the layout of dispatches sees them (gpu/dispatch.h).
#ifndef INKREAD_BACKENDS_VULKAN_TARGET_H_
#define INKREAD_BACKENDS_VULKAN_TARGET_H_

#include <cstdint>
#include <vector>

#include "backends/gpu/dispatch.h"
#include "backends/vulkan/shaders.h"

namespace inkread::vulkan {

// subgroup_size  threads of a subgroup, where matrix units are used; kEmulatedUnits take 32
// shared_bytes   shared memory that a workgroup may have
gpu::GpuTarget TargetOf(Arithmetic arithmetic, uint32_t subgroup_size, uint32_t shared_bytes);

// The same, each with one tile alone and one run of depthwise_conv: between them all kernels that a schedule may need
// at any other size of its network's input.
std::vector<gpu::GpuTarget> ForOtherSizes(const gpu::GpuTarget& target);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_TARGET_H_
