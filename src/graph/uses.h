// Producer and number of readers of each value of a graph, for passes and fusions that join nodes.
#ifndef INKREAD_GRAPH_USES_H_
#define INKREAD_GRAPH_USES_H_

#include <utility>
#include <vector>

#include "graph/graph.h"

namespace inkread {

// Code that changes the graph must keep this up to date.
struct Uses {
  std::vector<int> producer;  // index of the node that produces each value; -1 for constants and the graph's input
  std::vector<int> readers;   // number of node inputs that read each value, plus one for the graph's output

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

// Removes the nodes for which `dead` is set.
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
