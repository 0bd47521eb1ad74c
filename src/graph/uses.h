// Who makes and who reads each value of a graph: what passes and fusions look at before they join nodes.
#ifndef INKREAD_GRAPH_USES_H_
#define INKREAD_GRAPH_USES_H_

#include <utility>
#include <vector>

#include "graph/graph.h"

namespace inkread {

// Indices of nodes; kept up to date by whoever changes the graph.
struct Uses {
  std::vector<int> producer;  // the node that makes each value; -1 for constants and the graph's input
  std::vector<int> readers;   // how many node inputs are this value; the graph's output counts as one more

  explicit Uses(const Graph& graph) : producer(graph.values.size(), -1), readers(graph.values.size(), 0) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      producer[graph.nodes[i].output] = static_cast<int>(i);
      for (ValueId input : graph.nodes[i].inputs) {
        if (input != kNoValue) ++readers[input];
      }
    }
    if (graph.output != kNoValue) ++readers[graph.output];
  }
};

// Drops the nodes for which `dead` is set.
inline void EraseNodes(Graph& graph, const std::vector<bool>& dead) {
  size_t kept = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (dead[i]) continue;
    if (kept != i) graph.nodes[kept] = std::move(graph.nodes[i]);
    ++kept;
  }
  graph.nodes.erase(graph.nodes.begin() + static_cast<ptrdiff_t>(kept), graph.nodes.end());
}

}  // namespace inkread

#endif  // INKREAD_GRAPH_USES_H_
