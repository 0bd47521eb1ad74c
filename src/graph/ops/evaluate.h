// What a node computes, on the CPU and plainly: for constants and for the integers of shapes, never for images.
#ifndef INKREAD_GRAPH_OPS_EVALUATE_H_
#define INKREAD_GRAPH_OPS_EVALUATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/ops/node_shapes.h"

namespace inkread {

// Whether EvaluateNode knows the operator for floats.
bool CanEvaluate(OpType op);

// Whether the result has the first input's elements in their order, whatever the dims.
bool OnlyReshapes(OpType op);

// How many of the inputs, from the first, are data; the rest (indices, targets) is taken from node.Ints().
size_t NumDataInputs(const Node& node);

// Fills `out` with the result's elements, for T = float or int64_t. node.Out().dims must be there, so all dims fit.
//
// Errors  kInvalidArgument (integers that overflow or are divided by 0), kUnsupported (an operator not meant for T)
template <typename T>
Status EvaluateNode(const NodeShapes& node, std::span<const std::span<const T>> data, std::vector<T>& out);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_EVALUATE_H_
