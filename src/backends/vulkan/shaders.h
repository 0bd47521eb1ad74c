// The kernels as SPIR-V, made by the build from kernels/.
#ifndef INKREAD_BACKENDS_VULKAN_SHADERS_H_
#define INKREAD_BACKENDS_VULKAN_SHADERS_H_

#include <cstdint>
#include <span>

#include "schedule/step.h"

namespace inkread::vulkan {

// How values are kept and matrices multiplied.
enum class Arithmetic : uint8_t {
  kF32,            // f32 throughout
  kF16,            // values and the weights of matrices in f16, products and sums in f32
  kMatrixUnits,    // as kF16, matrices by the device's units (VK_KHR_cooperative_matrix)
  kEmulatedUnits,  // the same kernels by plain arithmetic, for tests
};

// The kernel of a kind; those that are no matrix kernels have one for all f16.
std::span<const uint32_t> ShaderOf(StepKind kind, Arithmetic arithmetic);

// Whether the compiler of this build could make kernels for matrix units.
bool HasMatrixUnitShaders();

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_SHADERS_H_
