#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ResizeParams& p, const EpilogueParams& epilogue) {
  StepFacts facts;
  if (p.scale_h == 0 || p.scale_w == 0) facts.fault = "a scale is 0";
  const uint64_t pixels = uint64_t{p.n} * p.ih * p.iw;
  facts.reads[0] = OperandFacts{.pixels = pixels, .c = p.c, .ld = p.x_ld};
  facts.writes[0] = OperandFacts{.pixels = pixels * p.scale_h * p.scale_w, .c = p.c, .ld = p.y_ld};
  AddEpilogue(facts, epilogue, p.n, PlainWeight(p.c), true);
  facts.rows = RowRule{.images = p.n, .units = p.ih * p.scale_h, .x_rows = p.ih, .repeat = p.scale_h};
  return facts;
}

void PrintParams(std::ostream& out, const ResizeParams& p) { out << " scale=" << p.scale_h << 'x' << p.scale_w; }

}  // namespace inkread
