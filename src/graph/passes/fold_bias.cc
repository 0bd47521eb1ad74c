#include "graph/passes.h"
#include "graph/passes/conv_weights.h"
#include "graph/uses.h"

namespace inkread {
namespace {

bool AddToConv(Graph& graph, Node& conv, const Tensor& term) {
  const auto weights = ConvWeights::Of(graph, conv);
  if (!weights) return false;
  const int64_t channels = weights->channels();
  if (term.dims != Dims{1, channels, 1, 1} && term.dims != Dims{channels, 1, 1}) return false;
  const std::vector<double> shift(term.floats.begin(), term.floats.end());
  weights->ScaleAndShift(graph, conv, {}, shift);
  return true;
}

// term: the id of the constant, which becomes the bias.
bool AddToMatMul(Graph& graph, Node& matmul, ValueId term) {
  if (matmul.op != OpType::kMatMul || matmul.inputs.size() != 2) return false;
  const Tensor* weight = graph.ConstantOf(matmul.inputs[1]);
  if (weight == nullptr || weight->dims.size() != 2) return false;
  if (graph.ConstantOf(term)->dims != Dims{weight->dims[1]}) return false;
  matmul.inputs.push_back(term);
  return true;
}

}  // namespace

void FoldBias(Graph& graph) {
  Uses uses(graph);
  std::vector<bool> dead(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& add = graph.nodes[i];
    if (add.op != OpType::kAdd) continue;
    for (int side = 0; side < 2; ++side) {
      const ValueId term = add.inputs[side], sum = add.inputs[1 - side];
      const Tensor* constant = graph.ConstantOf(term);
      const int producer = uses.producer[sum];
      if (constant == nullptr || constant->is_int || producer < 0 || uses.readers[sum] != 1) continue;
      const Tensor copy = *constant;  // a copy, because adding values to the graph moves its tensors
      Node& node = graph.nodes[producer];
      if (!AddToConv(graph, node, copy) && !AddToMatMul(graph, node, term)) continue;
      node.output = add.output;
      uses.producer[add.output] = producer;
      dead[i] = true;
      break;
    }
  }
  EraseNodes(graph, dead);
}

}  // namespace inkread
