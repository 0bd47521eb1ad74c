#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const SoftmaxParams& p) {
  StepFacts facts;
  facts.reads[0] = OperandFacts{.pixels = p.rows, .c = p.c, .ld = p.x_ld, .may_be_overwritten = true};
  facts.writes[0] = OperandFacts{.pixels = p.rows, .c = p.c, .ld = p.y_ld, .element = ElementRule::kStoredOrF32Output};
  facts.terms = p.c;
  facts.uses_exp = true;
  return facts;
}

void PrintParams(std::ostream&, const SoftmaxParams&) {}

}  // namespace inkread
