#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ImageResizeParams& p) {
  StepFacts facts;
  AddImage(facts, p);
  if (p.y_w < p.ow) facts.fault = StrCat("rows of ", p.y_w, " do not hold ", p.ow);
  if (p.quarter_turns > 3) facts.fault = StrCat(p.quarter_turns, " quarter turns");
  facts.writes[0] = OperandFacts{.pixels = uint64_t{p.oh} * p.y_w, .c = 3, .ld = 3, .element = ElementRule::kF32};
  return facts;
}

void PrintParams(std::ostream& out, const ImageResizeParams& p) {
  out << ' ' << p.ow << 'x' << p.oh;
  if (p.quarter_turns != 0) out << " turns=" << p.quarter_turns;
}

}  // namespace inkread
