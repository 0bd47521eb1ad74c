// One conformance case: a step with its parameters, and how to give it memory and data. All backends run the same
// cases.
#ifndef INKREAD_TESTS_CONFORMANCE_CASE_H_
#define INKREAD_TESTS_CONFORMANCE_CASE_H_

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schedule/backend.h"

namespace inkread::conformance {

enum class InPlace { kNo, kX, kResidual };

struct Case {
  StepParams params;  // panel and weights_form are filled in by the backend's caps
  EpilogueParams epilogue{};
  const char* why = "";
  InPlace in_place = InPlace::kNo;
  // Changes the operands' data after it is drawn; null: as drawn.
  void (*tweak)(std::vector<std::vector<float>>& reads, std::vector<std::vector<float>>& weights) = nullptr;

  std::string Name() const;
};

// The tables, one file each.
std::vector<Case> ConvCases();
std::vector<Case> DepthwiseConvCases();
std::vector<Case> ConvTransposeCases();
std::vector<Case> PoolCases();
std::vector<Case> RowCases();    // layer_norm, softmax, ctc_head, attention
std::vector<Case> SmallCases();  // elementwise, resize, global_pool, squeeze_excite, copy
std::vector<Case> AllCases();

// `base` once with each part of the epilogue alone, and with all of them.
std::vector<Case> WithEveryEpiloguePart(Case base);

// A case made ready to run: a schedule, its weights and its input.
struct Problem {
  std::shared_ptr<Schedule> schedule;
  std::shared_ptr<std::vector<float>> weights;
  std::vector<float> input;
  std::vector<float> output;               // what the output holds before the run
  std::vector<bool> is_result;             // which words of the output the step writes
  bool has_labels = false;                 // even words of results are integers
  bool approximates = false;               // exp or an activation's polynomial takes part
  uint64_t terms = 0;                      // float operations behind one result
  uint64_t batch = 1;                      // images, or rows where there are no images
  uint32_t storage = INKREAD_ELEMENT_F32;  // of results
};

// The value of output words that no step writes; f16 and bf16 have it too.
inline constexpr float kUntouched = 12352.0f;

// How a device wants weights and what it stores; as its caps have it.
struct Packing {
  uint32_t panel = 16;
  uint32_t weights_form = INKREAD_WEIGHTS_F32;
  uint32_t storage = INKREAD_ELEMENT_F32;
  friend auto operator<=>(const Packing&, const Packing&) = default;
};
inline Packing PackingOf(const Backend& backend) {
  return {backend.Caps().conv_panel, backend.Caps().weights_form, backend.Caps().storage};
}

struct Placement {
  uint32_t shift = 0;  // moves every operand by so many elements
  int64_t only = -1;   // only this image of the batch, with the same data
};

Problem MakeProblem(const Case& c, const Packing& packing, const Placement& placement = {});

// The output block after a run.
std::vector<float> RunProblem(Backend& backend, const Problem& problem);

// Empty when `actual` agrees with `expected`; else what differs first. *worst becomes the largest share of the
// tolerance used.
std::string Compare(const Problem& problem, const std::vector<float>& expected, const std::vector<float>& actual,
                    double* worst);

// Results of image `index` of a batch's output, in order; the whole when index is negative.
std::vector<float> Results(const Problem& problem, const std::vector<float>& output, int64_t index);

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_CASE_H_
