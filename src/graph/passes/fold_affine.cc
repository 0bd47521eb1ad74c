#include <algorithm>
#include <optional>
#include <utility>

#include "graph/passes.h"
#include "graph/passes/conv_weights.h"
#include "graph/uses.h"

namespace inkread {
namespace {

// y = x * scale + shift, where the numbers are those of a constant: one for all, or one a channel.
struct Affine {
  ValueId x = kNoValue;
  ValueId constant = kNoValue;
  std::vector<double> scale, shift;  // scale may be empty: 1
};

// Input `side` of the node as the x of an affine function, the other input being a constant.
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
