#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const SqueezeExciteParams& p) {
  StepFacts facts;
  if (p.mid > 1024) facts.fault = StrCat("mid is ", p.mid, ", at most 1024 is allowed");
  const uint64_t products = uint64_t{p.c} * p.mid;  // of each layer
  facts.reads[0] = facts.writes[0] = OperandFacts{.pixels = p.n, .c = p.c, .ld = p.c};
  facts.weights = {PlainWeight(products), PlainWeight(p.mid), PlainWeight(products), PlainWeight(p.c)};
  facts.terms = uint64_t{p.c} + p.mid;
  facts.multiply_adds = 2 * p.n * products;
  return facts;
}

void PrintParams(std::ostream& out, const SqueezeExciteParams& p) {
  out << " mid=" << p.mid << " alpha=" << p.alpha << " beta=" << p.beta;
  if (p.add_one) out << " add_one";
}

}  // namespace inkread
