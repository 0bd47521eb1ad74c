#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const DepthwiseConvParams& p, const EpilogueParams& epilogue) {
  StepFacts facts;
  CheckWindow(facts, p);
  const uint64_t pixels = uint64_t{p.n} * p.oh * p.ow;
  facts.reads[0] = OperandFacts{.pixels = uint64_t{p.n} * p.ih * p.iw, .c = p.c, .ld = p.x_ld};
  facts.weights[0] = PlainWeight(uint64_t{p.kh} * p.kw * p.c);
  facts.writes[0] = OperandFacts{.pixels = pixels, .c = p.c, .ld = p.y_ld};
  AddEpilogue(facts, epilogue, p.n, PlainWeight(p.c), false);
  facts.rows = WindowRows(p);
  facts.terms = uint64_t{p.kh} * p.kw;
  facts.multiply_adds = pixels * p.c * facts.terms;
  return facts;
}

void PrintParams(std::ostream& out, const DepthwiseConvParams& p) { PrintWindow(out, p); }

}  // namespace inkread
