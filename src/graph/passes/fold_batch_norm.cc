#include <algorithm>
#include <cmath>

#include "graph/ops/node_shapes.h"
#include "graph/passes.h"
#include "graph/passes/conv_weights.h"
#include "graph/uses.h"

namespace inkread {
namespace {

// y = x * scale + shift, per channel
struct Affine {
  std::vector<double> scale, shift;
};

// Empty unless all parameters of the node are constants [channels].
std::optional<Affine> AffineOf(const Graph& graph, const Node& node, int64_t channels) {
  std::array<std::span<const float>, 4> params;  // scale, bias, mean, variance
  for (size_t i = 0; i < 4; ++i) {
    const Tensor* tensor = graph.ConstantOf(node.inputs[i + 1]);
    if (tensor == nullptr || tensor->is_int || tensor->dims != Dims{channels}) return std::nullopt;
    params[i] = tensor->floats;
  }
  const ScalarAttrs* attrs = std::get_if<ScalarAttrs>(&node.attrs);
  const double epsilon = attrs != nullptr ? attrs->alpha : 1e-5f;
  Affine affine;
  for (size_t c = 0; c < params[0].size(); ++c) {
    const double scale = params[0][c] / std::sqrt(params[3][c] + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(params[1][c] - params[2][c] * scale);
  }
  return affine;
}

// True if the node is a Squeeze that keeps batch and channels at axes 0 and 1.
bool KeepsChannels(const Node& node) {
  if (node.op != OpType::kSqueeze) return false;
  const AxesAttrs* attrs = std::get_if<AxesAttrs>(&node.attrs);
  return attrs != nullptr && !attrs->axes.empty() &&
         std::all_of(attrs->axes.begin(), attrs->axes.end(), [](int64_t axis) { return NormalAxis(axis, 4) >= 2; });
}

}  // namespace

void FoldBatchNorm(Graph& graph) {
  Uses uses(graph);
  std::vector<bool> dead(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& norm = graph.nodes[i];
    if (norm.op != OpType::kBatchNormalization) continue;
    // From the BatchNormalization back to the Conv, with at most one Squeeze between them, because a Squeeze renumbers
    // axes.
    const ValueId joint = norm.inputs[0];
    int producer = uses.producer[joint];
    if (uses.readers[joint] != 1 || producer < 0) continue;
    int conv_index = producer;
    if (KeepsChannels(graph.nodes[producer])) {
      const ValueId above = graph.nodes[producer].inputs[0];
      conv_index = uses.producer[above];
      if (uses.readers[above] != 1 || conv_index < 0) continue;
    }
    const auto weights = ConvWeights::Of(graph, graph.nodes[conv_index]);
    if (!weights) continue;
    const auto affine = AffineOf(graph, norm, weights->channels());
    if (!affine) continue;
    weights->ScaleAndShift(graph, graph.nodes[conv_index], affine->scale, affine->shift);
    // The producer of the BatchNormalization's input now produces its output.
    graph.nodes[producer].output = norm.output;
    uses.producer[norm.output] = producer;
    dead[i] = true;
  }
  EraseNodes(graph, dead);
}

}  // namespace inkread
