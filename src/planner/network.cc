#include "planner/network.h"

#include <utility>

#include "graph/passes.h"
#include "graph/shapes.h"
#include "planner/fuse/fuse.h"
#include "planner/layers.h"
#include "planner/ops/op.h"
#include "planner/pack.h"

namespace inkread {
namespace {

// Shapes at one input size. A network that takes none of this size is refused here.
Result<std::vector<ValueShape>> ShapesOfASmallInput(const Graph& graph) {
  Dims dims = graph.input_dims;
  if (dims.size() != 4) return Unsupported(graph.file, ": input is ", DimsToString(dims), ", expected four dimensions");
  constexpr int64_t kSmallInput[4] = {2, 3, 64, 96};
  for (int i = 0; i < 4; ++i) {
    if (dims[i] <= 0) dims[i] = kSmallInput[i];
  }
  return InferShapes(graph, dims);
}

Status PackWeights(const std::vector<ValueShape>& shapes, Network& network) {
  WeightPacker packer;
  for (Layer& layer : network.layers) {
    const Node& node = network.graph.nodes[layer.node];
    const auto pack = PlannedOpOf(node.op).pack;
    if (pack != nullptr) pack({network.graph, node, shapes, network.caps}, packer, layer);
  }
  INKREAD_ASSIGN_OR_RETURN(network.weights, packer.Pack(kArenaSlackBytes));
  network.weights_bytes = packer.size_bytes();
  return Status();
}

// Drops the floats that have been packed, so that the file need not stay mapped. Small constants stay, since shape
// rules read some of them (Resize's scales).
void DropFloats(Graph& graph) {
  constexpr size_t kSmall = 16;
  for (Value& value : graph.values) {
    if (!value.constant || value.constant->is_int) continue;
    const std::span<const float> floats = value.constant->floats;
    if (floats.size() <= kSmall) {
      value.constant = Tensor::FromFloats(value.constant->dims, {floats.begin(), floats.end()});
    } else {
      value.constant->floats = {};
      value.constant->owner.reset();
    }
  }
}

}  // namespace

Result<std::shared_ptr<const Network>> PrepareNetwork(Graph graph, const DeviceCaps& caps) {
  const auto network = std::make_shared<Network>();
  network->graph = std::move(graph);
  network->caps = caps;
  INKREAD_RETURN_IF_ERROR(Simplify(network->graph));
  // Fusions rely on weights and biases that fit their nodes, which shape rules check.
  INKREAD_RETURN_IF_ERROR(ShapesOfASmallInput(network->graph).status());
  FuseAll(network->graph);
  INKREAD_ASSIGN_OR_RETURN(const std::vector<ValueShape> shapes, ShapesOfASmallInput(network->graph));
  INKREAD_RETURN_IF_ERROR(FindLayers(shapes, *network));
  INKREAD_RETURN_IF_ERROR(PackWeights(shapes, *network));
  DropFloats(network->graph);
  return std::shared_ptr<const Network>(network);
}

}  // namespace inkread
