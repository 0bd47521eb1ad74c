// ONNX's (numpy's) broadcasting of two shapes.
#ifndef INKREAD_GRAPH_OPS_BROADCAST_H_
#define INKREAD_GRAPH_OPS_BROADCAST_H_

#include <span>

#include "graph/graph.h"

namespace inkread {

// Computes the common shape `out`. Returns false if the shapes are incompatible; `out` is then undefined.
bool BroadcastDims(std::span<const int64_t> a, std::span<const int64_t> b, Dims& out);

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_BROADCAST_H_
