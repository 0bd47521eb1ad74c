// The table of operators (op.cc): one row each, with the functions from the operator's file.
#ifndef INKREAD_GRAPH_OPS_OP_H_
#define INKREAD_GRAPH_OPS_OP_H_

#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/ops/node_reader.h"
#include "graph/ops/node_shapes.h"

namespace inkread {

struct OpInfo {
  OpType op;
  const char* name;  // ONNX name
  // One letter per input: d = same type as the first input, i = integers, * = the last one repeats. Inputs with a
  // capital letter are required.
  const char* inputs;
  bool takes_ints;  // the first input may be integers
  // Reads attributes, and inputs that act as attributes, from a node of a file. Null if the operator has none.
  Status (*read)(NodeReader& reader, Node& node);
  // Sets the dims of node.Out(), and its ints if the inputs are integers.
  Status (*infer)(NodeShapes& node);
  bool in_files = true;  // false: created by planner/fuse only
};

const OpInfo& InfoOf(OpType op);
const OpInfo* FindOp(std::string_view name);  // null if no file can contain it

// Returns true for each value that holds integers.
//
// Errors  kCorruptModel (an input is missing, or its type does not fit the node)
Result<std::vector<bool>> CheckInputs(const Graph& graph);

// Computes the dims and ints of a node's output from those of its inputs, and checks the size of the result.
Status InferNode(const Graph& graph, const Node& node, std::vector<ValueShape>& shapes);

// The shape entry of a constant.
ValueShape ShapeOfConstant(const Tensor& tensor);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_OP_H_
