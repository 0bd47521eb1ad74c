// What the walkers answer for one step of each of the kinds that were there when this was written. A new kind needs no
// row here: its conformance cases hold its facts against its kernels.
#include "schedule/step_facts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace inkread {
namespace {

// Of small odd sizes; with every part of the epilogue where the kind has one.
std::map<StepKind, Step> OneOfEach() {
  const StepParams params[] = {
      ConvParams{2, 9, 7, 5, 4, 3, 20, 3, 3, 2, 2, 1, 1, 5, 20, 16, INKREAD_WEIGHTS_F32},
      DepthwiseConvParams{2, 9, 7, 5, 9, 7, 3, 5, 1, 1, 1, 2, 5, 5},
      ConvTransposeParams{2, 3, 4, 5, 6, 2, 3, 5, 6, 16, INKREAD_WEIGHTS_F32},
      PoolParams{INKREAD_POOL_MAX, 2, 8, 6, 5, 4, 3, 2, 2, 2, 2, 0, 0, 0, 5, 5},
      GlobalPoolParams{2, 3, 4, 5, 5},
      SqueezeExciteParams{2, 12, 4, 0.2f, 0.5f, 0},
      ElementwiseParams{2, 3, 4, 5, 5, 5},
      ResizeParams{2, 3, 4, 5, 2, 3, 5, 5},
      LayerNormParams{7, 12, 12, 12, 1e-5f},
      AttentionParams{2, 7, 3, 4, 36, 36, 36, 12, 0.5f},
      SoftmaxParams{7, 12, 12, 12},
      CtcHeadParams{7, 12, 30, 12, 16, INKREAD_WEIGHTS_F32},
      CopyParams{{1, 1, 3, 4, 5}, {0, 0, 32, 8, 1}, {0, 0, 20, 5, 1}},
      ImageResizeParams{9, 7, 3, {2, 1, 0}, 0, 4, 5, 6, {}, {}, {}, 0, {}, 0},
      ImageWarpParams{9, 7, 3, {2, 1, 0}, 4, 5, {}},
  };
  std::map<StepKind, Step> steps;
  for (const StepParams& p : params) {
    Step step;
    step.params = p;
    if (HasEpilogue(step.kind())) step.epilogue = {1, INKREAD_ACTIVATION_RELU, 0, 0, 1, 1, 40, 1, 0};
    steps[step.kind()] = step;
  }
  return steps;
}

TEST(StepFactsTest, EveryStepReadsAndWritesAndIsWithoutFault) {
  for (const auto& [kind, step] : OneOfEach()) {
    const StepFacts facts = FactsOf(step);
    EXPECT_EQ(facts.fault, "") << StepKindName(kind);
    EXPECT_TRUE(facts.reads[0]) << StepKindName(kind);
    EXPECT_TRUE(facts.writes[0]) << StepKindName(kind);
  }
  EXPECT_EQ(FactsOf(Step()).fault, "the step has no kind");
}

TEST(StepFactsTest, MultiplyAddsAreThoseOfTheSums) {
  const std::map<StepKind, uint64_t> expected = {
      {StepKind::kConv, 2 * 4 * 3 * 20 * 3 * 3 * 5},         {StepKind::kDepthwiseConv, 2 * 9 * 7 * 5 * 3 * 5},
      {StepKind::kConvTranspose, 2 * 3 * 4 * 2 * 3 * 6 * 5}, {StepKind::kSqueezeExcite, 2 * 2 * 12 * 4},
      {StepKind::kAttention, 2 * 2 * 3 * 7 * 7 * 4},         {StepKind::kCtcHead, 7 * 30 * 12},
  };
  for (const auto& [kind, step] : OneOfEach()) {
    const auto known = expected.find(kind);
    EXPECT_EQ(MultiplyAdds(step), known == expected.end() ? 0 : known->second) << StepKindName(kind);
  }
}

TEST(StepFactsTest, OnlyTheseReadsMayBeOverwritten) {
  const std::set<std::pair<StepKind, int>> expected = {
      {StepKind::kConv, kResidualSlot},   {StepKind::kElementwise, 0}, {StepKind::kElementwise, kResidualSlot},
      {StepKind::kResize, kResidualSlot}, {StepKind::kLayerNorm, 0},   {StepKind::kSoftmax, 0},
  };
  std::set<std::pair<StepKind, int>> found;
  for (const auto& [kind, step] : OneOfEach()) {
    const StepFacts facts = FactsOf(step);
    for (int read = 0; read < 3; ++read) {
      const auto& operand = facts.reads[static_cast<size_t>(read)];
      if (operand && operand->may_be_overwritten) found.insert({kind, read});
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(StepFactsTest, AnEpiloguePartThatIsOffHasNoOperand) {
  for (auto [kind, step] : OneOfEach()) {
    if (!HasEpilogue(kind)) continue;
    const StepFacts with = FactsOf(step);
    EXPECT_EQ(with.reads[kGateSlot]->pixels, 2u) << StepKindName(kind);
    EXPECT_EQ(with.reads[kResidualSlot]->pixels, with.writes[0]->pixels) << StepKindName(kind);
    EXPECT_EQ(with.reads[kResidualSlot]->ld, 40u) << StepKindName(kind);
    EXPECT_GE(with.weights[kBiasSlot]->words, with.writes[0]->c) << StepKindName(kind);
    step.epilogue = {};
    const StepFacts without = FactsOf(step);
    EXPECT_FALSE(without.reads[kGateSlot] || without.reads[kResidualSlot] || without.weights[kBiasSlot]);
  }
}

TEST(StepFactsTest, OnlyImageStepsReadPixels) {
  for (int i = 0; i < kNumStepKinds; ++i) {
    const StepKind kind = static_cast<StepKind>(i);
    EXPECT_EQ(ReadsPixels(kind), kind == StepKind::kImageResize || kind == StepKind::kImageWarp) << StepKindName(kind);
  }
}

TEST(StepFactsTest, RowsAreAsTheParamsSay) {
  const std::map<StepKind, Step> steps = OneOfEach();
  const std::set<StepKind> of_rows = {StepKind::kConv,  StepKind::kDepthwiseConv, StepKind::kConvTranspose,
                                      StepKind::kPool,  StepKind::kGlobalPool,    StepKind::kElementwise,
                                      StepKind::kResize};
  for (const auto& [kind, step] : steps) EXPECT_EQ(RowRuleOf(step).has_value(), of_rows.count(kind) == 1);
  const RowRule conv = *RowRuleOf(steps.at(StepKind::kConv));
  EXPECT_EQ(conv.units, 4u);
  EXPECT_EQ(conv.FirstX(0), 0u);  // row -1 is padding
  EXPECT_EQ(conv.EndX(1), 2u);
  EXPECT_EQ(conv.FirstX(3), 5u);
  EXPECT_EQ(conv.EndX(4), 8u);
  const RowRule resize = *RowRuleOf(steps.at(StepKind::kResize));
  EXPECT_EQ(resize.units, 6u);
  EXPECT_EQ(resize.FirstX(3), 1u);
  EXPECT_EQ(resize.EndX(3), 2u);
  const RowRule transpose = *RowRuleOf(steps.at(StepKind::kConvTranspose));
  EXPECT_EQ(transpose.units, 3u);
  EXPECT_EQ(transpose.results_per_unit, 2u);
}

TEST(StepFactsTest, ACopyTouchesRowsOfAWiderTensor) {
  const OperandFacts x = *FactsOf(OneOfEach().at(StepKind::kCopy)).reads[0];
  EXPECT_EQ(x.footprint->extent, 2u * 32 + 3 * 8 + 4 + 1);
  EXPECT_EQ(x.footprint->ld, 8u);
  EXPECT_EQ(x.footprint->c, 5u);
  Step none;
  none.params = CopyParams{};
  EXPECT_EQ(FactsOf(none).reads[0]->footprint->extent, 0u);
}

}  // namespace
}  // namespace inkread
