// The kernels that the build embeds.
#include "backends/vulkan/shaders.h"

#include <gtest/gtest.h>

namespace inkread::vulkan {
namespace {

TEST(ShadersTest, EveryKindHasOne) {
  for (int kind = 0; kind < kNumStepKinds; ++kind) {
    const auto code = ShaderOf(static_cast<StepKind>(kind));
    ASSERT_GT(code.size(), 5u);
    EXPECT_EQ(code[0], 0x07230203u) << StepKindName(static_cast<StepKind>(kind));  // SPIR-V's first word
  }
}

}  // namespace
}  // namespace inkread::vulkan
