// The view of a graph that a shape rule gets: one node, the shapes of its inputs, and its result.
#ifndef INKREAD_GRAPH_OPS_NODE_SHAPES_H_
#define INKREAD_GRAPH_OPS_NODE_SHAPES_H_

#include <span>
#include <variant>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/shapes.h"

namespace inkread {

class NodeShapes {
 public:
  NodeShapes(const Graph& graph, const Node& node, std::vector<ValueShape>& shapes)
      : graph_(graph), node_(node), shapes_(shapes) {}

  const Node& node() const { return node_; }
  size_t num_inputs() const { return node_.inputs.size(); }
  bool Has(size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != kNoValue; }
  // Requires Has(i).
  const Dims& In(size_t i) const { return shapes_[node_.inputs[i]].dims; }
  // The integers of input i; null if it is omitted, holds floats or is not known.
  const std::vector<int64_t>* Ints(size_t i) const {
    if (!Has(i)) return nullptr;
    const auto& ints = shapes_[node_.inputs[i]].ints;
    return ints ? &*ints : nullptr;
  }
  const Tensor* Constant(size_t i) const { return Has(i) ? graph_.ConstantOf(node_.inputs[i]) : nullptr; }
  ValueShape& Out() const { return shapes_[node_.output]; }

  // The attributes; the defaults of the operator if the node holds std::monostate.
  template <typename T>
  const T& AttrsAs() const {
    static const T defaults{};
    const T* attrs = std::get_if<T>(&node_.attrs);
    return attrs != nullptr ? *attrs : defaults;
  }

  // "det.onnx: node 'Conv_12': ..."
  template <typename... Args>
  Status Error(const Args&... args) const {
    return InvalidArgument(graph_.file, ": node '", node_.name, "': ", args...);
  }
  template <typename... Args>
  Status NotSupported(const Args&... args) const {
    return Unsupported(graph_.file, ": node '", node_.name, "': ", args...);
  }
  Status CheckRank(size_t i, size_t rank) const {
    if (In(i).size() == rank) return Status();
    return Error("input ", i, " is ", DimsToString(In(i)), ", expected ", rank, " dimensions");
  }

 private:
  const Graph& graph_;
  const Node& node_;
  std::vector<ValueShape>& shapes_;
};

// The index of an axis that may count from the end; -1 if it is out of range.
inline int64_t NormalAxis(int64_t axis, size_t rank) {
  const int64_t n = static_cast<int64_t>(rank);
  if (axis < -n || axis >= n) return -1;
  return axis < 0 ? axis + n : axis;
}

// The axes as a mask. Errors: an axis is out of range or occurs twice.
Result<uint32_t> AxesMask(const NodeShapes& node, std::span<const int64_t> axes, size_t rank);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_NODE_SHAPES_H_
