// The dimensions of every value of a graph for one input shape, and the contents of the small integer tensors
// (Shape, Slice, Concat ...) from which Reshape and its like take their targets.
#ifndef INKREAD_GRAPH_SHAPES_H_
#define INKREAD_GRAPH_SHAPES_H_

#include <optional>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

struct ValueShape {
  Dims dims;
  std::optional<std::vector<int64_t>> ints;  // set for integer values; float values have none
};

// Returns   one entry a value, constants included; values that no node makes stay empty
// Errors    kInvalidArgument (the input shape does not fit: says node, expected, got), kUnsupported
// Cost      well under a millisecond: it runs for every new picture size
Result<std::vector<ValueShape>> InferShapes(const Graph& graph, const Dims& input_dims);

// Padding, dilation and auto_pad resolved: the output length along one axis and the padding at its two ends.
struct WindowAxis {
  int64_t out = 0, pad_begin = 0, pad_end = 0;
};
Result<WindowAxis> ResolveWindowAxis(const WindowAttrs& window, int axis /* 0 = h, 1 = w */, int64_t in);

}  // namespace inkread

#endif  // INKREAD_GRAPH_SHAPES_H_
