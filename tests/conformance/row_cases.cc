// layer_norm, softmax, ctc_head and attention: the kinds that work on rows.
#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

Case Of(StepParams params, const char* why, InPlace in_place = InPlace::kNo) {
  Case c;
  c.params = params;
  c.why = why;
  c.in_place = in_place;
  return c;
}

// Rows off centre, and logits far apart.
Case Of(const LayerNormParams& params, const char* why, InPlace in_place = InPlace::kNo) {
  Case c = Of(StepParams(params), why, in_place);
  c.x_min = -3;
  c.x_max = 5;
  return c;
}
Case Of(const SoftmaxParams& params, const char* why, InPlace in_place = InPlace::kNo) {
  Case c = Of(StepParams(params), why, in_place);
  c.x_min = -9;
  c.x_max = 9;
  return c;
}

// Makes the weights of class 2 and all later ones equal those of class 1: every row is blank or a tie.
void TieClasses(std::vector<std::vector<float>>&, std::vector<std::vector<float>>& weights) {
  // The panel is known from the bias: all classes of this case lie in one.
  const size_t panel = weights[1].size();
  for (size_t w : {0, 1}) {
    for (size_t row = 0; row < weights[w].size() / panel; ++row) {
      for (size_t i = 2; i < 6; ++i) weights[w][row * panel + i] = weights[w][row * panel + 1];
    }
  }
}

void OneLargeValue(std::vector<std::vector<float>>& reads, std::vector<std::vector<float>>&) { reads[0][3] = 200; }

}  // namespace

std::vector<Case> RowCases() {
  std::vector<Case> cases = {
      Of(LayerNormParams{1, 1, 1, 1, 1e-5f}, "smallest"),
      Of(LayerNormParams{40, 120, 120, 120, 1e-6f}, "rec small"),
      Of(LayerNormParams{7, 33, 40, 35, 1e-5f}, "a lane over two vectors, strided"),
      Of(LayerNormParams{5, 24, 24, 24, 1e-5f}, "in place", InPlace::kX),
      Of(LayerNormParams{300, 384, 384, 384, 1e-5f}, "enough rows for threads"),
      Of(SoftmaxParams{1, 1, 1, 1}, "smallest"),
      Of(SoftmaxParams{9, 37, 37, 37}, "odd length"),
      Of(SoftmaxParams{6, 16, 20, 21}, "whole vectors, strided"),
      Of(SoftmaxParams{4, 50, 52, 52}, "in place", InPlace::kX),
      Of(SoftmaxParams{40, 6906, 6906, 6906}, "rec's classes, enough for threads"),
      Of(CtcHeadParams{1, 1, 1, 1, 0, 0}, "smallest; only the blank"),
      Of(CtcHeadParams{50, 24, 3, 24, 0, 0}, "a third of the rows is blank"),
      Of(CtcHeadParams{13, 30, 33, 37, 0, 0}, "a lane over panels, strided"),
      Of(CtcHeadParams{40, 120, 6906, 120, 0, 0}, "rec tiny"),
      Of(CtcHeadParams{31, 8, 18710, 8, 0, 0}, "rec small, more rows than a block"),
      Of(CtcHeadParams{700, 16, 40, 16, 0, 0}, "more rows than a GPU's groups have threads, several times"),
      Of(AttentionParams{1, 1, 1, 1, 1, 1, 1, 1, 1.0f}, "smallest"),
      Of(AttentionParams{2, 40, 8, 15, 120, 120, 120, 120, 0.2582f}, "rec small"),
      Of(AttentionParams{1, 17, 2, 33, 70, 80, 66, 68, 0.3f}, "a lane over vectors, strided"),
      Of(AttentionParams{3, 6, 3, 16, 48, 48, 48, 48, 0.25f}, "fewer keys than a vector, queries left over"),
      Of(AttentionParams{1, 200, 4, 48, 576, 576, 576, 192, 0.14f}, "q, k and v side by side, enough for threads"),
      Of(AttentionParams{1, 9, 1, 128, 128, 128, 128, 128, 0.09f}, "largest head"),
  };
  Case tie = Of(CtcHeadParams{50, 10, 6, 10, 0, 0}, "ties: the first class wins");
  tie.tweak = TieClasses;
  cases.push_back(tie);
  Case large = Of(SoftmaxParams{1, 20, 20, 20}, "one value far above the others");
  large.tweak = OneLargeValue;
  cases.push_back(large);
  return cases;
}

}  // namespace inkread::conformance
