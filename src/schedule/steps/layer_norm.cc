#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const LayerNormParams& p) {
  StepFacts facts;
  facts.reads[0] = OperandFacts{.pixels = p.rows, .c = p.c, .ld = p.x_ld, .may_be_overwritten = true};
  facts.weights[0] = facts.weights[1] = PlainWeight(p.c);
  facts.writes[0] = OperandFacts{.pixels = p.rows, .c = p.c, .ld = p.y_ld};
  facts.terms = p.c;
  return facts;
}

void PrintParams(std::ostream& out, const LayerNormParams& p) { out << " epsilon=" << p.epsilon; }

}  // namespace inkread
