#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const AttentionParams& p) {
  StepFacts facts;
  if (p.d == 0 || p.d > 128) facts.fault = StrCat("d is ", p.d, ", 1 to 128 is allowed");
  const uint64_t pixels = uint64_t{p.n} * p.t, c = uint64_t{p.heads} * p.d;
  facts.reads[0] = OperandFacts{.pixels = pixels, .c = c, .ld = p.q_ld};
  facts.reads[1] = OperandFacts{.pixels = pixels, .c = c, .ld = p.k_ld};
  facts.reads[2] = OperandFacts{.pixels = pixels, .c = c, .ld = p.v_ld};
  facts.writes[0] = OperandFacts{.pixels = pixels, .c = c, .ld = p.y_ld};
  facts.terms = uint64_t{p.d} + p.t;
  facts.multiply_adds = 2 * pixels * p.t * c;
  facts.uses_exp = true;
  return facts;
}

void PrintParams(std::ostream& out, const AttentionParams& p) {
  out << " heads=" << p.heads << " d=" << p.d << " scale=" << p.scale;
}

}  // namespace inkread
