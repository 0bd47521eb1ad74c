// Builds small graphs in memory, for tests.
//
//   GraphBuilder b;
//   ValueId x = b.Input({1, 3, 8, 8});
//   ValueId y = b.Node(OpType::kConv, {x, b.Floats({4, 3, 1, 1}, 0.5f)}, WindowAttrs{});
//   Graph graph = b.Output(y);
#ifndef INKREAD_GRAPH_GRAPH_BUILDER_H_
#define INKREAD_GRAPH_GRAPH_BUILDER_H_

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

class GraphBuilder {
 public:
  GraphBuilder() { graph_.file = "test.onnx"; }

  ValueId Input(Dims dims) {
    graph_.input = graph_.AddValue("x");
    graph_.input_dims = std::move(dims);
    return graph_.input;
  }

  ValueId Floats(Dims dims, std::vector<float> values) {
    return Constant(Tensor::FromFloats(std::move(dims), std::move(values)));
  }
  // All elements have the same value.
  ValueId Floats(Dims dims, float value) {
    int64_t count = 1;
    for (int64_t dim : dims) count *= dim;
    return Floats(std::move(dims), std::vector<float>(static_cast<size_t>(count), value));
  }
  ValueId Scalar(float value) { return Floats({}, std::vector<float>{value}); }
  // A vector of integers, for axes and shapes.
  ValueId Ints(std::vector<int64_t> values) {
    Dims dims = {static_cast<int64_t>(values.size())};
    return Constant(Tensor::FromInts(std::move(dims), std::move(values)));
  }
  ValueId Constant(Tensor tensor) {
    const ValueId id = graph_.AddValue(StrCat("c", graph_.values.size()));
    graph_.values[id].constant = std::move(tensor);
    return id;
  }

  // The name of the node is the operator's name with its position, as for a file without names.
  ValueId Node(OpType op, std::vector<ValueId> inputs, Attrs attrs = {}) {
    std::string name = StrCat(OpTypeName(op), "_", graph_.nodes.size());
    const ValueId output = graph_.AddValue(name + "_out");
    graph_.nodes.push_back({op, std::move(name), std::move(inputs), output, std::move(attrs)});
    return output;
  }

  Graph Output(ValueId value) {
    graph_.output = value;
    return std::move(graph_);
  }

 private:
  Graph graph_;
};

}  // namespace inkread

#endif  // INKREAD_GRAPH_GRAPH_BUILDER_H_
