// The operators: one row each in op.cc's table, with the functions of that operator's file.
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
  const char* name;  // ONNX's spelling
  // One letter an input: d = of the type of the first, i = integers, * = the last one repeats. Capitals must be there.
  const char* inputs;
  bool takes_ints;  // the first input may hold integers
  // Reads attributes, and inputs that count as attributes, from a file's node. Null: the node has none.
  Status (*read)(NodeReader& reader, Node& node);
  // Gives node.Out() its dims, and its ints where integers come in.
  Status (*infer)(NodeShapes& node);
  bool in_files = true;  // false: made by planner/fuse only
};

const OpInfo& InfoOf(OpType op);
const OpInfo* FindOp(std::string_view name);  // null: none of that name in files

// Which values hold integers. Errors: kCorruptModel (an input is missing, or of a type that its node cannot take).
Result<std::vector<bool>> CheckInputs(const Graph& graph);

// The dims and ints of one node's output from those of its inputs; the result's size is checked too.
Status InferNode(const Graph& graph, const Node& node, std::vector<ValueShape>& shapes);

// The entry of a constant.
ValueShape ShapeOfConstant(const Tensor& tensor);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_OP_H_
