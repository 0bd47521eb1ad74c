// A conformance case made ready to run, and its results compared. What the operands are follows from the facts of the
// step (schedule/step_facts.h); nothing here knows a kind.
#ifndef INKREAD_TESTS_CONFORMANCE_PROBLEM_H_
#define INKREAD_TESTS_CONFORMANCE_PROBLEM_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schedule/backend.h"
#include "tests/conformance/case.h"

namespace inkread::conformance {

// A case made ready to run: a schedule, its weights and its input.
struct Problem {
  std::shared_ptr<Schedule> schedule;
  std::shared_ptr<std::vector<float>> weights;
  std::vector<float> input;
  std::vector<float> output;               // what the output holds before the run
  std::vector<bool> is_result;             // which words of the output the step writes
  bool has_labels = false;                 // every third word of the results is an integer
  bool approximates = false;               // exp or an activation's polynomial takes part
  uint64_t terms = 0;                      // float operations that one result is made by
  uint64_t batch = 1;                      // images, or rows where there are no images
  uint32_t storage = INKREAD_ELEMENT_F32;  // of results
};

// The value of output words that no step writes; f16 and bf16 can hold it exactly.
inline constexpr float kUntouched = 12352.0f;

// How a device wants weights packed and which element it stores values in, as in its DeviceCaps.
struct Packing {
  uint32_t panel = 16;
  uint32_t weights_form = INKREAD_WEIGHTS_F32;
  uint32_t storage = INKREAD_ELEMENT_F32;
  friend auto operator<=>(const Packing&, const Packing&) = default;
};
inline Packing PackingOf(const Backend& backend) {
  return {backend.Caps().conv_panel, backend.Caps().weights_form, backend.Caps().storage};
}

// Where a problem's operands lie, and how many images of the case they hold.
struct OperandLayout {
  uint32_t shift = 0;  // elements that every operand is moved by
  int64_t only = -1;   // index of the one image of the batch to keep, with the same data; -1: all of them
};

Problem MakeProblem(const Case& c, const Packing& packing, const OperandLayout& layout = {});

// The output block after a run.
std::vector<float> RunProblem(Backend& backend, const Problem& problem);

// Empty where `actual` agrees with `expected` within the tolerance, else the first difference. *worst becomes the
// largest error as a share of the tolerance, where that is more than it was.
std::string Compare(const Problem& problem, const std::vector<float>& expected, const std::vector<float>& actual,
                    double* worst);

// The results of image `index` of a batch, in order; those of all images where index is negative.
std::vector<float> Results(const Problem& problem, const std::vector<float>& output, int64_t index);

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_PROBLEM_H_
