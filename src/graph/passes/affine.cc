#include "graph/passes/affine.h"

namespace inkread {

std::optional<Affine> AffineOf(const Graph& graph, const Node& node, size_t side) {
  if (node.inputs.size() != 2) return std::nullopt;
  const Tensor* tensor = graph.ConstantOf(node.inputs[1 - side]);
  if (tensor == nullptr || tensor->is_int) return std::nullopt;
  Affine affine{node.inputs[side], node.inputs[1 - side], {}, {}};
  const std::vector<double> numbers(tensor->floats.begin(), tensor->floats.end());
  const bool is_left = side == 0;  // x is
  switch (node.op) {
    case OpType::kAdd:
      affine.shift = numbers;
      return affine;
    case OpType::kSub:
      affine.shift = numbers;
      if (is_left) {
        for (double& number : affine.shift) number = -number;
      } else {
        affine.scale.assign(numbers.size(), -1);
      }
      return affine;
    case OpType::kMul:
    case OpType::kDiv:
      if (node.op == OpType::kDiv && !is_left) return std::nullopt;
      affine.scale = numbers;
      affine.shift.assign(numbers.size(), 0);
      if (node.op == OpType::kDiv) {
        for (double& number : affine.scale) number = 1 / number;
      }
      return affine;
    default:
      return std::nullopt;
  }
}

}  // namespace inkread
