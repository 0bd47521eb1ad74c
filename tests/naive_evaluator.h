// A network's result computed from its graph as ONNX defines each operator: one loop nest an operator, [n, c, h, w], in
// doubles, without fusions. The oracle of the planner's tests.
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
  // What a tolerance is computed from.
  uint64_t terms = 0;    // summed for one element, over all nodes
  double magnitude = 0;  // of the largest value in any node's result
  double gain = 1;       // by which quotients with computed divisors may enlarge earlier roundings
};

// graph   as imported or built, before any pass, with its weights
// input   [n, c, h, w], dense
// Errors  as InferShapes; kUnsupported for operators that only planner/fuse makes
Result<NaiveResult> EvaluateNaively(const Graph& graph, const Dims& input_dims, std::span<const float> input);

}  // namespace inkread

#endif  // INKREAD_TESTS_NAIVE_EVALUATOR_H_
