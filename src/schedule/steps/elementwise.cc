#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ElementwiseParams& p, const EpilogueParams& epilogue) {
  StepFacts facts;
  const uint64_t pixels = uint64_t{p.n} * p.h * p.w;
  facts.reads[0] = OperandFacts{.pixels = pixels, .c = p.c, .ld = p.x_ld, .may_be_overwritten = true};
  facts.writes[0] = OperandFacts{.pixels = pixels, .c = p.c, .ld = p.y_ld};
  AddEpilogue(facts, epilogue, p.n, PlainWeight(p.c), true);
  facts.rows = RowRule{.images = p.n, .units = p.h, .x_rows = p.h};
  return facts;
}

void PrintParams(std::ostream&, const ElementwiseParams&) {}

}  // namespace inkread
