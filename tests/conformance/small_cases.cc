// elementwise, resize, global_pool, squeeze_excite and copy.
#include "tests/conformance/case.h"

namespace inkread::conformance {
namespace {

Case Of(StepParams params, const char* why) {
  Case c;
  c.params = params;
  c.why = why;
  return c;
}

// Values that reach the bends of the activations.
Case Of(const ElementwiseParams& params, const char* why) {
  Case c = Of(StepParams(params), why);
  c.x_min = -4;
  c.x_max = 4;
  return c;
}

}  // namespace

std::vector<Case> SmallCases() {
  std::vector<Case> cases = {
      Of(GlobalPoolParams{1, 1, 1, 1, 1}, "smallest"),
      Of(GlobalPoolParams{3, 5, 7, 33, 33}, "a lane over two vectors"),
      Of(GlobalPoolParams{2, 3, 40, 130, 150}, "several vectors and a rest, strided"),
      Of(GlobalPoolParams{1, 60, 60, 64, 64}, "enough rows for threads"),
      Of(SqueezeExciteParams{1, 1, 1, 0.2f, 0.5f, 0}, "smallest"),
      Of(SqueezeExciteParams{3, 33, 9, 0.1666667f, 0.5f, 1}, "odd, with the identity added"),
      Of(SqueezeExciteParams{4, 512, 128, 0.02f, 0.5f, 0}, "largest, enough for threads"),
      Of(CopyParams{{1, 1, 1, 1, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}}, "smallest"),
      Of(CopyParams{{1, 2, 5, 3, 7}, {0, 105, 21, 7, 1}, {0, 105, 7, 35, 1}}, "transpose that keeps runs"),
      Of(CopyParams{{1, 2, 7, 3, 5}, {0, 105, 1, 35, 7}, {0, 105, 15, 5, 1}}, "[n, h, w, c] to [n, c, h, w]"),
      Of(CopyParams{{1, 1, 1, 50, 9}, {0, 0, 0, 20, 1}, {0, 0, 0, 31, 1}}, "slice into slice"),
      Of(CopyParams{{1, 1, 200, 50, 20}, {0, 0, 1000, 20, 1}, {0, 0, 20, 4000, 1}}, "enough for threads"),
  };
  const auto activation = [&cases](Case c, uint a) {
    c.epilogue.activation = a;
    c.epilogue.alpha = 0.2f;
    c.epilogue.beta = 0.5f;
    c.epilogue.scale = 1;
    cases.push_back(c);
  };
  activation(Of(ElementwiseParams{1, 1, 1, 1, 1, 1}, "smallest"), INKREAD_ACTIVATION_SIGMOID);
  activation(Of(ElementwiseParams{1, 1, 1, 1000, 1000, 1000}, "one long row"), INKREAD_ACTIVATION_HARD_SWISH);
  activation(Of(ElementwiseParams{1, 50, 60, 33, 33, 33}, "dense, enough for threads"), INKREAD_ACTIVATION_GELU);
  activation(Of(ElementwiseParams{2, 5, 7, 19, 30, 25}, "strided, and nothing else"), INKREAD_ACTIVATION_NONE);
  for (InPlace in_place : {InPlace::kX, InPlace::kResidual}) {
    for (uint ld : {35u, 40u}) {
      Case c = Of(ElementwiseParams{2, 30, 31, 35, in_place == InPlace::kX ? ld : 36, ld}, "in place");
      c.in_place = in_place;
      c.epilogue.has_residual = 1;
      c.epilogue.residual_ld = in_place == InPlace::kResidual ? ld : 37;
      cases.push_back(c);
    }
  }
  for (const Case& base :
       {Of(ElementwiseParams{2, 4, 5, 35, 40, 36}, ""), Of(ElementwiseParams{3, 3, 11, 16, 16, 16}, ""),
        Of(ResizeParams{2, 3, 4, 20, 2, 2, 22, 21}, ""), Of(ResizeParams{1, 2, 3, 33, 1, 3, 33, 33}, "")}) {
    for (const Case& c : WithEveryEpiloguePart(base)) cases.push_back(c);
  }
  cases.push_back(Of(ResizeParams{1, 1, 1, 1, 1, 1, 1, 1}, "smallest"));
  cases.push_back(Of(ResizeParams{1, 9, 10, 64, 8, 8, 64, 256}, "det's neck, into a slice, enough for threads"));
  Case sum = Of(ResizeParams{2, 4, 5, 24, 2, 2, 24, 30}, "residual is y itself");
  sum.in_place = InPlace::kResidual;
  sum.epilogue.has_residual = 1;
  sum.epilogue.residual_ld = 30;
  cases.push_back(sum);
  return cases;
}

}  // namespace inkread::conformance
