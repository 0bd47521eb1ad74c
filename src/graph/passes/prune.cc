#include "graph/passes.h"
#include "graph/uses.h"

namespace inkread {

void Prune(Graph& graph) {
  std::vector<bool> needed(graph.values.size(), false);
  std::vector<bool> dead(graph.nodes.size(), false);
  needed[graph.input] = true;  // the graph keeps its input even if nothing reads it
  needed[graph.output] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    dead[i] = !needed[node.output];
    if (dead[i]) continue;
    for (ValueId input : node.inputs) {
      if (input != kNoValue) needed[input] = true;
    }
  }
  EraseNodes(graph, dead);

  std::vector<ValueId> renumbered(graph.values.size(), kNoValue);
  std::vector<Value> values;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (!needed[i]) continue;
    renumbered[i] = static_cast<ValueId>(values.size());
    values.push_back(std::move(graph.values[i]));
  }
  graph.values = std::move(values);
  for (Node& node : graph.nodes) {
    for (ValueId& input : node.inputs) {
      if (input != kNoValue) input = renumbered[input];
    }
    node.output = renumbered[node.output];
  }
  graph.input = renumbered[graph.input];
  graph.output = renumbered[graph.output];
}

}  // namespace inkread
