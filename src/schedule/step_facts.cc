#include "schedule/step_facts.h"

#include <type_traits>

#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const Step& step) {
  return std::visit(
      [&step](const auto& params) {
        if constexpr (std::is_same_v<decltype(params), const std::monostate&>) {
          StepFacts facts;
          facts.fault = "the step has no kind";
          return facts;
        } else if constexpr (requires { FactsOf(params, step.epilogue); }) {
          return FactsOf(params, step.epilogue);
        } else {
          return FactsOf(params);
        }
      },
      step.params);
}

uint64_t MultiplyAdds(const Step& step) { return FactsOf(step).multiply_adds; }

std::optional<RowRule> RowRuleOf(const Step& step) { return FactsOf(step).rows; }

bool ReadsPixels(StepKind kind) {
  // The element of a read is the same for all params of a kind.
  static const std::array<bool, kNumStepKinds> kReadsPixels = [] {
    std::array<bool, kNumStepKinds> reads_pixels{};
    Step step;
#define INKREAD_STEP(kind, Params, stem) \
  step.params = Params{};                \
  reads_pixels[static_cast<size_t>(StepKind::kind)] = FactsOf(step).reads[0]->element == ElementRule::kPixels;
#include "schedule/steps.inc"
#undef INKREAD_STEP
    return reads_pixels;
  }();
  return kReadsPixels.at(static_cast<size_t>(kind));
}

}  // namespace inkread
