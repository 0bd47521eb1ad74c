#include <algorithm>
#include <optional>
#include <utility>

#include "graph/passes.h"
#include "graph/passes/affine.h"
#include "graph/passes/conv_weights.h"
#include "graph/uses.h"

namespace inkread {
namespace {

bool FoldIntoConv(Graph& graph, Node& conv, const Affine& affine) {
  const auto weights = ConvWeights::Of(graph, conv);
  if (!weights) return false;
  const int64_t channels = weights->channels();
  const Dims& dims = graph.ConstantOf(affine.constant)->dims;
  const auto for_channels = [&](std::vector<double> numbers) {
    if (numbers.size() == 1) numbers.assign(static_cast<size_t>(channels), numbers[0]);
    return numbers;
  };
  const bool is_by_channel = dims == Dims{1, channels, 1, 1} || dims == Dims{channels, 1, 1};
  const bool is_one = affine.shift.size() == 1 && dims.size() <= 4;
  if (!is_by_channel && !is_one) return false;
  weights->ScaleAndShift(graph, conv, for_channels(affine.scale), for_channels(affine.shift));
  return true;
}

bool AddToMatMul(const Graph& graph, Node& matmul, const Affine& affine) {
  if (!affine.scale.empty() || matmul.op != OpType::kMatMul || matmul.inputs.size() != 2) return false;
  const Tensor* weight = graph.ConstantOf(matmul.inputs[1]);
  if (weight == nullptr || weight->dims.size() != 2) return false;
  if (graph.ConstantOf(affine.constant)->dims != Dims{weight->dims[1]}) return false;
  matmul.inputs.push_back(affine.constant);
  return true;
}

// Values that a Clip reads: x + 3 in a hard-swish is one.
std::vector<bool> ReadByClip(const Graph& graph) {
  std::vector<bool> is_read(graph.values.size(), false);
  for (const Node& node : graph.nodes) {
    if (node.op == OpType::kClip) is_read[node.inputs[0]] = true;
  }
  return is_read;
}

}  // namespace

void FoldAffine(Graph& graph) {
  Uses uses(graph);
  const std::vector<bool> read_by_clip = ReadByClip(graph);
  std::vector<bool> dead(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    for (size_t side = 0; side < 2; ++side) {
      const std::optional<Affine> affine = AffineOf(graph, node, side);
      if (!affine || (affine->shift.size() == 1 && read_by_clip[node.output])) continue;
      const int producer = uses.producer[affine->x];
      if (producer < 0 || uses.readers[affine->x] != 1) continue;
      Node& before = graph.nodes[producer];
      const bool is_add = node.op == OpType::kAdd;
      if (!FoldIntoConv(graph, before, *affine) && !(is_add && AddToMatMul(graph, before, *affine))) continue;
      before.output = node.output;
      uses.producer[node.output] = producer;
      dead[i] = true;
      break;
    }
  }
  EraseNodes(graph, dead);
}

void ChannelScaleToConv(Graph& graph) {
  for (Node& node : graph.nodes) {
    for (size_t side = 0; side < 2; ++side) {
      const std::optional<Affine> affine = AffineOf(graph, node, side);
      if (!affine || affine->scale.size() < 2) continue;
      const int64_t channels = static_cast<int64_t>(affine->scale.size());
      if (graph.ConstantOf(affine->constant)->dims != Dims{1, channels, 1, 1}) continue;
      const ValueId weights = graph.AddValue(node.name + ".weight"), bias = graph.AddValue(node.name + ".bias");
      graph.values[weights].constant =
          Tensor::FromFloats({channels, 1, 1, 1}, {affine->scale.begin(), affine->scale.end()});
      graph.values[bias].constant = Tensor::FromFloats({channels}, {affine->shift.begin(), affine->shift.end()});
      WindowAttrs window;
      window.group = channels;
      node = {OpType::kConv, node.name, {affine->x, weights, bias}, node.output, window};
      break;
    }
  }
}

}  // namespace inkread
