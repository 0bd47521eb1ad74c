#include "tests/conformance/case.h"

#include "schedule/schedule.h"
#include "schedule/step_facts.h"

namespace inkread::conformance {

std::string Case::Name() const {
  Schedule s;
  Step step;
  step.params = params;
  step.epilogue = epilogue;
  s.steps.push_back(step);
  std::string text = PrintSchedule(s);
  text = text.substr(text.find('\n') + 1);
  text.pop_back();
  return text + " (" + why + ")";
}

std::vector<Case> WithEveryEpiloguePart(Case base) {
  std::vector<Case> cases;
  const auto add = [&](const EpilogueParams& e, const char* why) {
    Case c = base;
    c.epilogue = e;
    c.why = why;
    cases.push_back(c);
  };
  Step step;
  step.params = base.params;
  const uint y_ld = static_cast<uint>(FactsOf(step).writes[0]->ld);
  EpilogueParams none{};
  none.alpha = 0.2f;
  none.beta = 0.5f;
  none.scale = 1.3f;
  none.offset = -0.2f;
  EpilogueParams e = none;
  e.has_bias = 1;
  add(e, "bias alone");
  for (uint a = 1; a < INKREAD_NUM_ACTIVATIONS; ++a) {
    e = none;
    e.activation = a;
    add(e, "activation alone");
  }
  e = none;
  e.has_gate = 1;
  add(e, "gate alone");
  e = none;
  e.has_residual = 1;
  e.residual_ld = y_ld + 3;
  add(e, "residual alone");
  for (uint a = 0; a < INKREAD_NUM_ACTIVATIONS; ++a) {
    e = none;
    e.has_bias = e.has_gate = e.has_residual = 1;
    e.activation = a;
    e.residual_ld = y_ld + 1;
    add(e, "every part, in their order");
  }
  return cases;
}

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (auto table : {ConvCases, DepthwiseConvCases, ConvTransposeCases, PoolCases, RowCases, SmallCases}) {
    for (const Case& c : table()) all.push_back(c);
  }
  return all;
}

}  // namespace inkread::conformance
