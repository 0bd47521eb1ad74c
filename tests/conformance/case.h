// One conformance case: a step's parameters and how its data is drawn. problem.h makes it ready to run. Every backend
// runs the same cases.
#ifndef INKREAD_TESTS_CONFORMANCE_CASE_H_
#define INKREAD_TESTS_CONFORMANCE_CASE_H_

#include <string>
#include <vector>

#include "schedule/step.h"

namespace inkread::conformance {

// Which operand lies where y does.
enum class InPlace { kNo, kX, kResidual };

struct Case {
  StepParams params;  // panel and weights_form are filled in by the backend's caps
  EpilogueParams epilogue{};
  const char* why = "";
  InPlace in_place = InPlace::kNo;
  float x_min = -1, x_max = 1;  // the range that the values of read 0 are drawn from
  // Changes the operands' data after it is drawn; null: as drawn.
  void (*tweak)(std::vector<std::vector<float>>& reads, std::vector<std::vector<float>>& weights) = nullptr;

  std::string Name() const;
};

// The tables, one file each. A table names problem sizes and why they are there; the operands follow from the params
// (schedule/step_facts.h).
std::vector<Case> ConvCases();
std::vector<Case> DepthwiseConvCases();
std::vector<Case> ConvTransposeCases();
std::vector<Case> PoolCases();
std::vector<Case> RowCases();    // layer_norm, softmax, ctc_head, attention
std::vector<Case> SmallCases();  // elementwise, resize, global_pool, squeeze_excite, copy
std::vector<Case> AllCases();

// `base` once with each part of the epilogue alone, and with all of them.
std::vector<Case> WithEveryEpiloguePart(Case base);

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_CASE_H_
