#include "planner/layers.h"

#include <algorithm>
#include <utility>

#include "planner/ops/families.h"

namespace inkread {
namespace {

ValueId Other(const Node& node, ValueId one) { return node.inputs[0] == one ? node.inputs[1] : node.inputs[0]; }

class LayerFinder {
 public:
  LayerFinder(const std::vector<ValueShape>& shapes, Network& network)
      : shapes_(shapes), network_(network), graph_(network.graph) {
    readers_.resize(graph_.values.size());
    producer_.assign(graph_.values.size(), -1);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      producer_[graph_.nodes[i].output] = static_cast<int>(i);
      for (ValueId v : graph_.nodes[i].inputs) {
        if (v != kNoValue) readers_[v].push_back(static_cast<int>(i));
      }
    }
  }

  Status FindLayers() {
    taken_.assign(graph_.nodes.size(), false);
    std::vector<std::pair<int, Layer>> found;  // with the last node taken
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      const Node& node = graph_.nodes[i];
      const PlannedOp& op = PlannedOpOf(node.op);
      if (taken_[i] || shapes_[node.output].ints || op.view != nullptr) continue;
      const NodeContext context = ContextOf(node);
      if (op.lower == nullptr) return context.NotSupported("no step kind computes it");
      Layer layer;
      layer.node = i;
      layer.output = node.output;
      if (op.start != nullptr) INKREAD_RETURN_IF_ERROR(op.start(context, layer));
      const int last = ExtendEpilogue(layer, i);
      found.emplace_back(last, layer);
    }
    // A layer takes the place of its last node, so that all that its epilogue reads is computed before it.
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [last, layer] : found) network_.layers.push_back(layer);
    return Status();
  }

  // Lets producers write into the result of the Concat that reads them.
  void FindConcatSlices() {
    network_.concat_slices.assign(graph_.values.size(), std::nullopt);
    std::vector<bool> can_be_slice(graph_.values.size(), false);
    for (const Layer& layer : network_.layers) can_be_slice[layer.output] = OpOf(layer).writes_slices;
    for (const Layer& layer : network_.layers) {
      const Node& node = graph_.nodes[layer.node];
      if (node.op != OpType::kConcat) continue;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId v = node.inputs[i];
        if (can_be_slice[v] && v != graph_.output && !network_.concat_slices[v])
          network_.concat_slices[v] = ConcatSlice{node.output, static_cast<int>(i)};
      }
    }
  }

  void FindCtcLayer() {
    const int softmax = producer_[graph_.output];
    if (softmax < 0 || graph_.nodes[softmax].op != OpType::kSoftmax || shapes_[graph_.output].dims.size() != 3) return;
    for (size_t l = 0; l < network_.layers.size(); ++l) {
      const Layer& layer = network_.layers[l];
      if (layer.output == graph_.nodes[softmax].inputs[0] && graph_.nodes[layer.node].op == OpType::kMatMul &&
          layer.activation == INKREAD_ACTIVATION_NONE && layer.residual == kNoValue &&
          readers_[layer.output].size() == 1)
        network_.ctc_layer = static_cast<int>(l);
    }
  }

 private:
  NodeContext ContextOf(const Node& node) const { return {graph_, node, shapes_, network_.caps}; }
  const PlannedOp& OpOf(const Layer& layer) const { return PlannedOpOf(graph_.nodes[layer.node].op); }

  // The last part of the epilogue that a layer has.
  static EpiloguePart LastPartOf(const Layer& layer) {
    if (layer.residual != kNoValue) return EpiloguePart::kResidual;
    if (layer.gate != kNoValue) return EpiloguePart::kGate;
    return layer.activation != INKREAD_ACTIVATION_NONE ? EpiloguePart::kActivation : EpiloguePart::kNone;
  }

  // Takes the nodes behind `layer` that its epilogue can compute. Returns the last node taken, or `last`.
  int ExtendEpilogue(Layer& layer, int last) {
    if (OpOf(layer).epilogue == EpilogueSupport::kNone) return last;
    while (layer.output != graph_.output && readers_[layer.output].size() == 1) {
      const int i = readers_[layer.output][0];
      const Node& next = graph_.nodes[i];
      const EpiloguePart part = PlannedOpOf(next.op).part;
      if (part <= LastPartOf(layer) || !Take(next, part, layer)) break;
      taken_[i] = true;
      layer.output = next.output;
      last = i;
    }
    return last;
  }

  // Makes `next`, the only reader of the layer's output, that part of its epilogue, if it can be.
  bool Take(const Node& next, EpiloguePart part, Layer& layer) const {
    if (part == EpiloguePart::kActivation) return StartActivation(ContextOf(next), layer).ok();
    const ValueId other = Other(next, layer.output);
    if (part == EpiloguePart::kGate) {
      if (OpOf(layer).epilogue == EpilogueSupport::kWithoutGate || !IsGate(ContextOf(next), other, layer.output))
        return false;
      layer.gate = other;
      return true;
    }
    if (graph_.ConstantOf(other) != nullptr || other == layer.output ||
        shapes_[other].dims != shapes_[layer.output].dims || OtherTakesSum(layer.output, other))
      return false;
    layer.residual = other;
    return true;
  }

  // Whether a sum of two layers' results becomes part of the other layer. The later of the two takes it, so that only
  // the result of the earlier one is stored.
  bool OtherTakesSum(ValueId v, ValueId other) const {
    const int p = producer_[other];
    return p > producer_[v] && PlannedOpOf(graph_.nodes[p].op).epilogue != EpilogueSupport::kNone &&
           readers_[other].size() == 1 && other != graph_.output;
  }

  const std::vector<ValueShape>& shapes_;
  Network& network_;
  const Graph& graph_;
  std::vector<std::vector<int>> readers_;  // nodes by value
  std::vector<int> producer_;              // node by value; -1: the input or a constant
  std::vector<bool> taken_;                // nodes that are part of a layer's epilogue
};

}  // namespace

Status FindLayers(const std::vector<ValueShape>& shapes, Network& network) {
  LayerFinder finder(shapes, network);
  INKREAD_RETURN_IF_ERROR(finder.FindLayers());
  finder.FindConcatSlices();
  finder.FindCtcLayer();
  return Status();
}

}  // namespace inkread
