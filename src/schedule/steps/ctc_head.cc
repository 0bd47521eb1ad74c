#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const CtcHeadParams& p) {
  StepFacts facts;
  CheckPacking(facts, p);
  if (p.classes == 0) facts.fault = "there are no classes";
  facts.reads[0] = OperandFacts{.pixels = p.rows, .c = p.ic, .ld = p.x_ld};
  facts.weights[0] = PanelWeight(p.classes, p.panel, 1, 1, p.ic, p.weights_form);
  facts.weights[1] = PanelBias(p.classes, p.panel);
  facts.writes[0] = OperandFacts{.pixels = p.rows, .c = 3, .ld = 3, .element = ElementRule::kLabels};
  facts.terms = uint64_t{p.ic} + p.classes;
  facts.multiply_adds = uint64_t{p.rows} * p.classes * p.ic;
  facts.uses_exp = true;
  return facts;
}

void PrintParams(std::ostream& out, const CtcHeadParams& p) { PrintWeightsForm(out, p.weights_form); }

}  // namespace inkread
