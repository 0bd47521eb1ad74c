// Evaluates single nodes with simple loops. Used for constants and for the integers of shapes, never for images.
#ifndef INKREAD_GRAPH_OPS_EVALUATE_H_
#define INKREAD_GRAPH_OPS_EVALUATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/ops/node_shapes.h"

namespace inkread {

// True if EvaluateNode supports the operator for floats.
bool CanEvaluate(OpType op);

// True if the result has the elements of the first input in the same order, possibly with other dims.
bool OnlyReshapes(OpType op);

// The number of leading inputs that are data. The others (indices, target shapes) are read with node.Ints().
size_t NumDataInputs(const Node& node);

// Fills `out` with the elements of the result. T is float or int64_t. node.Out().dims must be set.
//
// Errors  kInvalidArgument (integer overflow or division by 0), kUnsupported (operator not supported for T)
template <typename T>
Status EvaluateNode(const NodeShapes& node, std::span<const std::span<const T>> data, std::vector<T>& out);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_EVALUATE_H_
