// A network's result straight from its graph, as ONNX defines each operator: one loop nest an operator, [n, c, h, w],
// doubles, nothing fused and nothing shared. The oracle of the planner's tests.
#ifndef INKREAD_TESTS_NAIVE_EVALUATOR_H_
#define INKREAD_TESTS_NAIVE_EVALUATOR_H_

#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

struct NaiveResult {
  Dims dims;
  std::vector<double> values;
  // What a tolerance is computed from: the terms summed on the way to one element, over all nodes; the largest value
  // met; and by how much quotients with computed divisors may enlarge an earlier rounding.
  uint64_t terms = 0;
  double magnitude = 0;
  double gain = 1;
};

// graph   as imported or built, before any pass; weights still there
// input   [n, c, h, w], dense
// Errors  as InferShapes; kUnsupported for operators that only planner/fuse makes
Result<NaiveResult> EvaluateNaively(const Graph& graph, const Dims& input_dims, std::span<const float> input);

}  // namespace inkread

#endif  // INKREAD_TESTS_NAIVE_EVALUATOR_H_
