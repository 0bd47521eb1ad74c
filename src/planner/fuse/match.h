// What the fusions share: which node makes and which nodes read each value, and how a matched pattern is replaced.
#ifndef INKREAD_PLANNER_FUSE_MATCH_H_
#define INKREAD_PLANNER_FUSE_MATCH_H_

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace inkread {

// An index over a graph, valid until the graph is changed other than through Replace.
class Matcher {
 public:
  explicit Matcher(Graph& graph);

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  int num_nodes() const { return static_cast<int>(graph_.nodes.size()); }
  Node& node(int index) { return graph_.nodes[index]; }
  const Node& node(int index) const { return graph_.nodes[index]; }

  // The node that makes v; -1 for constants and the input.
  int ProducerOf(ValueId v) const { return v == kNoValue ? -1 : producer_[v]; }
  // The producer of v when it is an `op`; -1 otherwise.
  int ProducerOf(ValueId v, OpType op) const;
  // The only node that reads v; -1 when there are several, none, or v is the graph's output.
  int OnlyReaderOf(ValueId v) const;
  int OnlyReaderOf(ValueId v, OpType op) const;
  int num_readers(ValueId v) const { return static_cast<int>(readers_[v].size()); }

  // The value of a constant of one element: [] or [1], since one of more dimensions could add dimensions to the result.
  std::optional<float> ScalarOf(ValueId v) const;
  bool IsScalar(ValueId v, float expected) const;  // within 1e-6 relative
  // Splits a two-input node into one constant scalar and the other input.
  struct ScalarOperand {
    float scalar;
    ValueId other;
  };
  std::optional<ScalarOperand> SplitScalar(const Node& node) const;

  // Node `index` becomes `node` and makes the same value. Nothing reads the rest of the pattern then: Prune drops it.
  void Replace(int index, Node node);

 private:
  void Index();
  Graph& graph_;
  std::vector<int> producer_;
  std::vector<std::vector<int>> readers_;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_FUSE_MATCH_H_
