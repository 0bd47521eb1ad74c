#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const PoolParams& p) {
  StepFacts facts;
  CheckWindow(facts, p);
  if (p.mode > INKREAD_POOL_AVERAGE) facts.fault = StrCat("unknown mode ", p.mode);
  facts.reads[0] = OperandFacts{.pixels = uint64_t{p.n} * p.ih * p.iw, .c = p.c, .ld = p.x_ld};
  facts.writes[0] = OperandFacts{.pixels = uint64_t{p.n} * p.oh * p.ow, .c = p.c, .ld = p.y_ld};
  facts.rows = WindowRows(p);
  facts.terms = uint64_t{p.kh} * p.kw;
  return facts;
}

void PrintParams(std::ostream& out, const PoolParams& p) {
  out << (p.mode == INKREAD_POOL_MAX ? " max" : " average");
  PrintWindow(out, p);
  if (p.count_padding) out << " count_padding";
}

}  // namespace inkread
