#include "schedule/steps/facts.h"

namespace inkread {

StepFacts FactsOf(const ImageWarpParams& p) {
  StepFacts facts;
  AddImage(facts, p);
  facts.weights[0] = PlainWeight(32 * 32 * 16 / 2);
  facts.writes[0] = OperandFacts{
      .pixels = uint64_t{p.oh} * p.ow, .c = 4, .ld = 4, .element = ElementRule::kPixels, .alignment_bytes = 4};
  return facts;
}

void PrintParams(std::ostream&, const ImageWarpParams&) {}

}  // namespace inkread
