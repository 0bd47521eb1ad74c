#include "backends/vulkan/shaders.h"

#include "backends/vulkan/kernels.inc"  // made by the build: an array STEM_spirv for each kind
#include "base/status.h"

namespace inkread::vulkan {

std::span<const uint32_t> ShaderOf(StepKind kind) {
  switch (kind) {
#define INKREAD_STEP(step_kind, params, stem) \
  case StepKind::step_kind:                   \
    return stem##_spirv;
#include "schedule/steps.inc"
#undef INKREAD_STEP
  }
  INKREAD_CHECK(false);
  return {};
}

}  // namespace inkread::vulkan
