#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ConvParams& p, const EpilogueParams& epilogue) {
  StepFacts facts;
  CheckPacking(facts, p);
  CheckWindow(facts, p);
  const uint64_t pixels = uint64_t{p.n} * p.oh * p.ow;
  facts.reads[0] = OperandFacts{.pixels = uint64_t{p.n} * p.ih * p.iw, .c = p.ic, .ld = p.x_ld};
  facts.weights[0] = PanelWeight(p.oc, p.panel, p.kh, p.kw, p.ic, p.weights_form);
  facts.writes[0] = OperandFacts{.pixels = pixels, .c = p.oc, .ld = p.y_ld};
  AddEpilogue(facts, epilogue, p.n, PanelBias(p.oc, p.panel), true);
  facts.rows = WindowRows(p);
  facts.terms = uint64_t{p.kh} * p.kw * p.ic;
  facts.multiply_adds = pixels * p.oc * facts.terms;
  return facts;
}

void PrintParams(std::ostream& out, const ConvParams& p) {
  PrintWindow(out, p);
  PrintWeightsForm(out, p.weights_form);
}

}  // namespace inkread
