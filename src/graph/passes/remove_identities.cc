#include "graph/ops/op.h"
#include "graph/passes.h"
#include "graph/uses.h"

namespace inkread {

void RemoveIdentities(Graph& graph) {
  const auto is_int = CheckInputs(graph);
  if (!is_int.ok()) return;  // not a graph from import; InferShapes reports the error
  std::vector<ValueId> stands_for(graph.values.size());
  for (size_t i = 0; i < stands_for.size(); ++i) stands_for[i] = static_cast<ValueId>(i);
  std::vector<bool> dead(graph.nodes.size(), false);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    for (ValueId& input : node.inputs) {
      if (input != kNoValue) input = stands_for[input];
    }
    const bool same_type_cast = node.op == OpType::kCast && (*is_int)[node.inputs[0]] == (*is_int)[node.output];
    if (node.op == OpType::kIdentity || same_type_cast) {
      stands_for[node.output] = node.inputs[0];
      dead[i] = true;
    }
  }
  graph.output = stands_for[graph.output];
  EraseNodes(graph, dead);
}

}  // namespace inkread
