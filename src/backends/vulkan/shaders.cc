#include "backends/vulkan/shaders.h"

// Made by the build: arrays STEM_f32_spirv and STEM_f16_spirv for each kind, and of matrix kernels STEM_emulated_spirv
// and STEM_units_spirv. They are empty spans where there is no kernel, or no compiler for it.
#include "backends/vulkan/kernels.inc"
#include "base/status.h"

namespace inkread::vulkan {

std::span<const uint32_t> ShaderOf(StepKind kind, Arithmetic arithmetic) {
  const bool has_units = arithmetic == Arithmetic::kMatrixUnits || arithmetic == Arithmetic::kEmulatedUnits;
  const auto by_units = [arithmetic](std::span<const uint32_t> units, std::span<const uint32_t> emulated) {
    return arithmetic == Arithmetic::kMatrixUnits ? units : emulated;
  };
  if (has_units && kind == StepKind::kConv) return by_units(conv_units_spirv, conv_emulated_spirv);
  if (has_units && kind == StepKind::kConvTranspose)
    return by_units(conv_transpose_units_spirv, conv_transpose_emulated_spirv);
  if (has_units && kind == StepKind::kCtcHead) return by_units(ctc_head_units_spirv, ctc_head_emulated_spirv);
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

std::array<bool, kNumStepKinds> KindsWithShaders(Arithmetic arithmetic) {
  std::array<bool, kNumStepKinds> has{};
  for (int i = 0; i < kNumStepKinds; ++i) {
    const auto kind = static_cast<StepKind>(i);
    // Steps whose reads and writes are all f32 run in f32 on any device (Pipelines::ShaderFor).
    has[i] = !ShaderOf(kind, Arithmetic::kF32).empty() && !ShaderOf(kind, arithmetic).empty();
  }
  return has;
}

bool HasMatrixUnitShaders() { return !std::span<const uint32_t>(conv_units_spirv).empty(); }

}  // namespace inkread::vulkan
