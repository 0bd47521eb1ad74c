#include "backends/vulkan/shaders.h"

// Made by the build: arrays STEM_f32_spirv and STEM_f16_spirv for each kind, and of matrix kernels STEM_emulated_spirv
// and, where it defines INKREAD_HAS_MATRIX_UNITS, STEM_units_spirv.
#include "backends/vulkan/kernels.inc"
#include "base/status.h"

namespace inkread::vulkan {

std::span<const uint32_t> ShaderOf(StepKind kind, Arithmetic arithmetic) {
  const auto matrix_kernel = [arithmetic](std::span<const uint32_t> f16, std::span<const uint32_t> units,
                                          std::span<const uint32_t> emulated) {
    return arithmetic == Arithmetic::kMatrixUnits ? units : arithmetic == Arithmetic::kEmulatedUnits ? emulated : f16;
  };
#ifdef INKREAD_HAS_MATRIX_UNITS
#define INKREAD_UNITS(stem) stem##_units_spirv
#else
#define INKREAD_UNITS(stem) (std::span<const uint32_t>())
#endif
  if (arithmetic != Arithmetic::kF32) {
    switch (kind) {
      case StepKind::kConv:
        return matrix_kernel(conv_f16_spirv, INKREAD_UNITS(conv), conv_emulated_spirv);
      case StepKind::kConvTranspose:
        return matrix_kernel(conv_transpose_f16_spirv, INKREAD_UNITS(conv_transpose), conv_transpose_emulated_spirv);
      case StepKind::kCtcHead:
        return matrix_kernel(ctc_head_f16_spirv, INKREAD_UNITS(ctc_head), ctc_head_emulated_spirv);
      default:
        break;
    }
  }
  switch (kind) {
#define INKREAD_STEP(step_kind, params, stem) \
  case StepKind::step_kind:                   \
    return arithmetic == Arithmetic::kF32 ? std::span<const uint32_t>(stem##_f32_spirv) : stem##_f16_spirv;
#include "schedule/steps.inc"
#undef INKREAD_STEP
  }
  INKREAD_CHECK(false);
  return {};
}

bool HasMatrixUnitShaders() {
#ifdef INKREAD_HAS_MATRIX_UNITS
  return true;
#else
  return false;
#endif
}

}  // namespace inkread::vulkan
