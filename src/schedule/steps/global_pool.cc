#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const GlobalPoolParams& p) {
  StepFacts facts;
  facts.reads[0] = OperandFacts{.pixels = uint64_t{p.n} * p.h * p.w, .c = p.c, .ld = p.x_ld};
  facts.writes[0] = OperandFacts{.pixels = p.n, .c = p.c, .ld = p.c};
  facts.writes[1] = OperandFacts{.pixels = uint64_t{p.n} * p.h, .c = p.c, .ld = p.c, .element = ElementRule::kF32};
  // A unit is the partial sum of one row; the mean itself has no rows.
  facts.rows = RowRule{.images = p.n, .units = p.h, .results_per_unit = 0, .x_rows = p.h};
  facts.terms = uint64_t{p.h} * p.w;
  return facts;
}

void PrintParams(std::ostream&, const GlobalPoolParams&) {}

}  // namespace inkread
