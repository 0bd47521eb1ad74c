// The kernels as SPIR-V, made by the build from kernels/.
#ifndef INKREAD_BACKENDS_VULKAN_SHADERS_H_
#define INKREAD_BACKENDS_VULKAN_SHADERS_H_

#include <cstdint>
#include <span>

#include "schedule/step.h"

namespace inkread::vulkan {

std::span<const uint32_t> ShaderOf(StepKind kind);

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_SHADERS_H_
