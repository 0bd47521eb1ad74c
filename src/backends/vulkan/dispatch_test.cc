// Steps as dispatches, without a device.
#include "backends/vulkan/dispatch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "backends/vulkan/shaders.h"

namespace inkread::vulkan {
namespace {

Operand At(Space space, uint64_t offset_bytes) { return {space, offset_bytes, {1, 1, 1, 4}, 4}; }

// A schedule of 4 words in, 8 words out and 64 bytes of arena.
Schedule Empty() {
  Schedule s;
  s.network = "test";
  s.input = {1, 1, 1, 4};
  s.output = {1, 1, 1, 8};
  s.arena_bytes = 64;
  return s;
}

TEST(DispatchTest, OffsetsFollowTheParamsAndTheEpilogue) {
  Schedule s = Empty();
  Step step;
  step.params = ElementwiseParams{1, 1, 1, 4, 4, 4};
  step.epilogue = {1, INKREAD_ACTIVATION_RELU, 0.5f, 0.25f, 0, 1, 7};
  step.reads[0] = At(Space::kInput, 0);
  step.reads[2] = At(Space::kArena, 32);
  step.weights[1] = At(Space::kWeights, 128);
  step.writes[0] = At(Space::kOutput, 16);
  s.steps.push_back(step);
  const auto list = DispatchesOf(s);
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->layout.input, 0u);
  EXPECT_EQ(list->layout.output, 256u);
  EXPECT_EQ(list->layout.arena, 512u);
  EXPECT_EQ(list->layout.size_bytes, 768u);
  ASSERT_EQ(list->dispatches.size(), 1u);
  const Dispatch& d = list->dispatches[0];
  constexpr uint32_t kOffsets = (sizeof(ElementwiseParams) + sizeof(EpilogueParams)) / 4;
  EXPECT_EQ(d.push_words, kOffsets + 6);
  EXPECT_EQ(std::memcmp(&d.push[6], &step.epilogue, sizeof(EpilogueParams)), 0);
  EXPECT_EQ(d.push[kOffsets], 0u);                   // x
  EXPECT_EQ(d.push[kOffsets + 1], 0u);               // no gate
  EXPECT_EQ(d.push[kOffsets + 2], (512u + 32) / 4);  // residual
  EXPECT_EQ(d.push[kOffsets + 4], 128u / 4);         // bias
  EXPECT_EQ(d.push[kOffsets + 5], (256u + 16) / 4);  // y
  // Operands of the run's memory only: neither the absent gate nor the weights.
  EXPECT_EQ(d.in_block, 1u << kOffsets | 1u << (kOffsets + 2) | 1u << (kOffsets + 5));
  EXPECT_EQ(d.groups, 1u);
}

// Two heads at one level must not share scratch; one at a later level may use it again.
TEST(DispatchTest, ScratchIsAStepsOwnWithinItsLevel) {
  Schedule s = Empty();
  for (uint32_t level : {0, 0, 1}) {
    Step step;
    step.params = CtcHeadParams{10, 4, 600, 4, 16, INKREAD_WEIGHTS_F32};
    step.reads[0] = At(Space::kInput, 0);
    step.weights[0] = step.weights[1] = At(Space::kWeights, 0);
    step.writes[0] = At(Space::kOutput, 0);
    step.level = level;
    s.steps.push_back(step);
  }
  const auto list = DispatchesOf(s);
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->dispatches.size(), 6u);  // two phases each
  const uint64_t words = 10 * 2 * 3;       // two chunks of classes
  const auto scratch = [&](size_t i) { return list->dispatches[i].push[list->dispatches[i].push_words - 1]; };
  EXPECT_EQ(scratch(0), list->layout.scratch / 4);
  EXPECT_EQ(scratch(1), scratch(0));
  EXPECT_EQ(scratch(2), scratch(0) + words);
  EXPECT_EQ(scratch(4), scratch(0));
  EXPECT_GE(list->layout.size_bytes - list->layout.scratch, words * 2 * 4);
  EXPECT_EQ(list->dispatches[1].phase, 1u);
  EXPECT_EQ(list->dispatches[1].step, 0u);
}

TEST(DispatchTest, WeightsOfAnotherFormAreOurMistake) {
  Schedule s = Empty();
  Step step;
  step.params = CtcHeadParams{1, 4, 6, 4, 16, INKREAD_WEIGHTS_BF16};
  s.steps.push_back(step);
  EXPECT_EQ(DispatchesOf(s).status().code(), StatusCode::kInternal);
}

TEST(DispatchTest, WhatWordsCannotCountIsUnsupported) {
  Schedule s = Empty();
  s.arena_bytes = uint64_t{1} << 35;
  EXPECT_EQ(DispatchesOf(s).status().code(), StatusCode::kUnsupported);
}

TEST(ShadersTest, EveryKindHasOne) {
  for (int kind = 0; kind < kNumStepKinds; ++kind) {
    const auto code = ShaderOf(static_cast<StepKind>(kind));
    ASSERT_GT(code.size(), 5u);
    EXPECT_EQ(code[0], 0x07230203u) << StepKindName(static_cast<StepKind>(kind));  // SPIR-V's first word
  }
}

}  // namespace
}  // namespace inkread::vulkan
