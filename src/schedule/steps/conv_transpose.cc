#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ConvTransposeParams& p, const EpilogueParams& epilogue) {
  StepFacts facts;
  CheckPacking(facts, p);
  if (p.kh == 0 || p.kw == 0) facts.fault = "the window is empty";
  const uint64_t pixels = uint64_t{p.n} * p.ih * p.iw;
  const uint64_t results_per_pixel = uint64_t{p.kh} * p.kw;
  const uint64_t columns = results_per_pixel * p.oc;
  facts.reads[0] = OperandFacts{.pixels = pixels, .c = p.ic, .ld = p.x_ld};
  facts.weights[0] = PanelWeight(columns, p.panel, 1, 1, p.ic, p.weights_form);
  facts.writes[0] = OperandFacts{.pixels = pixels * results_per_pixel, .c = p.oc, .ld = p.y_ld};
  WeightFacts bias = PanelBias(columns, p.panel);
  bias.period = p.oc;
  AddEpilogue(facts, epilogue, p.n, bias, false);
  facts.rows = RowRule{.images = p.n, .units = p.ih, .results_per_unit = p.kh, .x_rows = p.ih};
  facts.terms = p.ic;
  facts.multiply_adds = pixels * columns * p.ic;
  return facts;
}

void PrintParams(std::ostream& out, const ConvTransposeParams& p) {
  out << ' ' << p.kh << 'x' << p.kw;
  PrintWeightsForm(out, p.weights_form);
}

}  // namespace inkread
