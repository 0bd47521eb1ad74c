// The kernels that the build embeds.
#include "backends/vulkan/shaders.h"

#include <gtest/gtest.h>

namespace inkread::vulkan {
namespace {

TEST(ShadersTest, EveryKindHasOneForEachArithmetic) {
  for (Arithmetic arithmetic :
       {Arithmetic::kF32, Arithmetic::kF16, Arithmetic::kMatrixUnits, Arithmetic::kEmulatedUnits}) {
    if (arithmetic == Arithmetic::kMatrixUnits && !HasMatrixUnitShaders()) continue;
    for (int kind = 0; kind < kNumStepKinds; ++kind) {
      const auto code = ShaderOf(static_cast<StepKind>(kind), arithmetic);
      ASSERT_GT(code.size(), 5u) << StepKindName(static_cast<StepKind>(kind));
      EXPECT_EQ(code[0], 0x07230203u) << StepKindName(static_cast<StepKind>(kind));  // SPIR-V's first word
    }
  }
}

TEST(ShadersTest, AKindWithoutAKernelIsLeftOut) {
  for (Arithmetic arithmetic : {Arithmetic::kF32, Arithmetic::kF16, Arithmetic::kEmulatedUnits})
    for (bool has : KindsWithShaders(arithmetic)) EXPECT_TRUE(has);
  const auto with_units = KindsWithShaders(Arithmetic::kMatrixUnits);
  EXPECT_EQ(with_units[static_cast<size_t>(StepKind::kConv)], HasMatrixUnitShaders());
  EXPECT_TRUE(with_units[static_cast<size_t>(StepKind::kPool)]);
}

TEST(ShadersTest, OnlyMatrixKernelsKnowOfUnits) {
  for (int kind = 0; kind < kNumStepKinds; ++kind) {
    const auto k = static_cast<StepKind>(kind);
    const bool is_matrix = k == StepKind::kConv || k == StepKind::kConvTranspose || k == StepKind::kCtcHead;
    EXPECT_EQ(ShaderOf(k, Arithmetic::kEmulatedUnits).data() != ShaderOf(k, Arithmetic::kF16).data(), is_matrix);
    EXPECT_NE(ShaderOf(k, Arithmetic::kF16).data(), ShaderOf(k, Arithmetic::kF32).data());
  }
}

}  // namespace
}  // namespace inkread::vulkan
