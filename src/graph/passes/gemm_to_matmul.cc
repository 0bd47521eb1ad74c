#include "graph/passes.h"

namespace inkread {
namespace {

// The weights as [k, n], multiplied by alpha.
Tensor FoldedWeights(const Tensor& weight, const GemmAttrs& attrs) {
  const size_t k = static_cast<size_t>(weight.dims[attrs.trans_b ? 1 : 0]);
  const size_t n = static_cast<size_t>(weight.dims[attrs.trans_b ? 0 : 1]);
  std::vector<float> values(k * n);
  for (size_t row = 0; row < k; ++row) {
    for (size_t col = 0; col < n; ++col) {
      values[row * n + col] = attrs.alpha * weight.floats[attrs.trans_b ? col * k + row : row * n + col];
    }
  }
  return Tensor::FromFloats({static_cast<int64_t>(k), static_cast<int64_t>(n)}, std::move(values));
}

void Replace(Graph& graph, Node& node) {
  if (node.op != OpType::kGemm) return;
  const GemmAttrs* given = std::get_if<GemmAttrs>(&node.attrs);
  const GemmAttrs attrs = given != nullptr ? *given : GemmAttrs();
  const Tensor* weight = graph.ConstantOf(node.inputs[1]);
  if (weight == nullptr || weight->is_int || weight->dims.size() != 2 || attrs.trans_a) return;
  const int64_t n = weight->dims[attrs.trans_b ? 0 : 1];

  std::optional<Tensor> bias;
  if (node.inputs.size() > 2 && node.inputs[2] != kNoValue) {
    const Tensor* term = graph.ConstantOf(node.inputs[2]);
    if (term == nullptr || term->is_int) return;
    const bool is_one = term->dims.size() <= 1 && term->floats.size() == 1;
    if (!is_one && term->dims != Dims{n} && term->dims != Dims{1, n}) return;
    std::vector<float> values(static_cast<size_t>(n));
    for (size_t i = 0; i < values.size(); ++i) values[i] = attrs.beta * term->floats[is_one ? 0 : i];
    bias = Tensor::FromFloats({n}, std::move(values));
  }

  ValueId weight_id = node.inputs[1];
  if (attrs.trans_b || attrs.alpha != 1) {
    Tensor folded = FoldedWeights(*weight, attrs);
    weight_id = graph.AddValue(node.name + ".weight");
    graph.values[weight_id].constant = std::move(folded);
  }
  node.inputs = {node.inputs[0], weight_id};
  if (bias) {
    node.inputs.push_back(graph.AddValue(node.name + ".bias"));
    graph.values[node.inputs[2]].constant = std::move(bias);
  }
  node.op = OpType::kMatMul;
  node.attrs = std::monostate();
}

}  // namespace

void GemmToMatMul(Graph& graph) {
  for (Node& node : graph.nodes) Replace(graph, node);
}

}  // namespace inkread
