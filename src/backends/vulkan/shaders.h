// The kernels as SPIR-V, which the build makes from kernels/.
#ifndef INKREAD_BACKENDS_VULKAN_SHADERS_H_
#define INKREAD_BACKENDS_VULKAN_SHADERS_H_

#include <array>
#include <cstdint>
#include <span>

#include "schedule/step.h"

namespace inkread::vulkan {

// How values are stored and matrices multiplied.
enum class Arithmetic : uint8_t {
  kF32,            // f32 throughout
  kF16,            // values and the weights of matrices in f16, products and sums in f32
  kMatrixUnits,    // as kF16, matrices by the device's units (VK_KHR_cooperative_matrix)
  kEmulatedUnits,  // the same kernels by plain arithmetic, for tests
};

// The kernel of a kind, empty where kernels/ has none. Kinds that are no matrix products have one kernel for all f16.
std::span<const uint32_t> ShaderOf(StepKind kind, Arithmetic arithmetic);

// For each kind whether there are all kernels that a device may need which is opened for this arithmetic.
std::array<bool, kNumStepKinds> KindsWithShaders(Arithmetic arithmetic);

// Whether the GLSL compiler of this build could make kernels for matrix units.
bool HasMatrixUnitShaders();

}  // namespace inkread::vulkan

#endif  // INKREAD_BACKENDS_VULKAN_SHADERS_H_
