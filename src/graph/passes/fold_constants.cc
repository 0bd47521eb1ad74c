#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "graph/ops/evaluate.h"
#include "graph/ops/op.h"
#include "graph/passes.h"
#include "graph/uses.h"

namespace inkread {
namespace {

// Limit of the elements of all folded results together: 128 MB, far more than the weights of the networks.
constexpr int64_t kMaxFoldedElements = int64_t{1} << 25;

Result<Tensor> CastConstant(const NodeShapes& node, const Tensor& in, bool to_int) {
  if (in.is_int == to_int) return in;
  if (!to_int) return Tensor::FromFloats(in.dims, {in.ints.begin(), in.ints.end()});
  std::vector<int64_t> ints;
  for (float value : in.floats) {
    if (!(std::fabs(value) < 9.2e18f)) return node.Error("casts ", value, " to an integer");
    ints.push_back(static_cast<int64_t>(value));
  }
  return Tensor::FromInts(in.dims, std::move(ints));
}

// The result if the node can be folded; its shape is in node.Out().
Result<std::optional<Tensor>> Evaluate(const NodeShapes& node) {
  const ValueShape& out = node.Out();
  const Tensor& first = *node.Constant(0);
  const OpType op = node.node().op;
  if (op == OpType::kCast) {
    INKREAD_ASSIGN_OR_RETURN(Tensor cast, CastConstant(node, first, node.AttrsAs<CastAttrs>().to_int));
    return std::optional(std::move(cast));
  }
  if (out.ints) return std::optional(Tensor::FromInts(out.dims, *out.ints));
  if (first.is_int || !CanEvaluate(op)) return std::optional<Tensor>();
  if (OnlyReshapes(op)) {
    Tensor view = first;
    view.dims = out.dims;
    return std::optional(std::move(view));
  }
  std::vector<std::span<const float>> data;
  for (size_t i = 0; i < NumDataInputs(node.node()); ++i) data.push_back(node.Constant(i)->floats);
  std::vector<float> values;
  INKREAD_RETURN_IF_ERROR(EvaluateNode<float>(node, data, values));
  return std::optional(Tensor::FromFloats(out.dims, std::move(values)));
}

}  // namespace

Status FoldConstants(Graph& graph) {
  std::vector<ValueShape> shapes(graph.values.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (graph.values[i].constant) shapes[i] = ShapeOfConstant(*graph.values[i].constant);
  }
  std::vector<bool> dead(graph.nodes.size(), false);
  int64_t folded = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool all_constant = std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
      return input == kNoValue || graph.ConstantOf(input) != nullptr;
    });
    if (!all_constant) continue;
    // The error does not depend on the input shape.
    if (const Status status = InferNode(graph, node, shapes); !status.ok()) {
      if (status.code() == StatusCode::kUnsupported) return status;
      return CorruptModel(status.message());
    }
    const auto elements = CheckedProduct(shapes[node.output].dims);
    folded += elements.value_or(kMaxFoldedElements + 1);
    if (folded > kMaxFoldedElements) {
      return Unsupported(graph.file, ": node '", node.name, "': computes constants of more than ", kMaxFoldedElements,
                         " elements");
    }
    const NodeShapes rule(graph, node, shapes);
    auto result = Evaluate(rule);
    if (!result.ok()) return CorruptModel(result.status().message());
    if (!result->has_value()) continue;
    shapes[node.output] = ShapeOfConstant(**result);
    graph.values[node.output].constant = std::move(**result);
    dead[i] = true;
  }
  EraseNodes(graph, dead);
  return Status();
}

}  // namespace inkread
