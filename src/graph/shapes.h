// The dimensions of every value of a graph for one input shape, and the contents of the small integer tensors
// (Shape, Slice, Concat ...) from which Reshape and its like take their targets.
#ifndef INKREAD_GRAPH_SHAPES_H_
#define INKREAD_GRAPH_SHAPES_H_

#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// More elements than the tensors from which shapes are computed ever have.
inline constexpr int64_t kMaxShapeInts = 512;

struct ValueShape {
  Dims dims;
  // The elements, set for integer values; float values have none, nor have constants of more than kMaxShapeInts.
  std::optional<std::vector<int64_t>> ints;
};

// Returns   one entry a value, constants included; values that no node makes stay empty
// Errors    kInvalidArgument (the input shape does not fit: says node, expected, got), kUnsupported
// Cost      well under a millisecond: it runs for every new image size
Result<std::vector<ValueShape>> InferShapes(const Graph& graph, const Dims& input_dims);

// Padding, dilation and auto_pad resolved: the output length along one axis and the padding at its two ends. With
// ceil_mode the last window may reach past the padding; what lies there is not counted by any pool.
struct WindowAxis {
  int64_t out = 0, pad_begin = 0, pad_end = 0;
};
// For Conv and the pools. axis: 0 = h, 1 = w. Errors: kInvalidArgument (the window does not fit; without node name).
Result<WindowAxis> ResolveWindowAxis(const WindowAttrs& window, int axis, int64_t in);
// For ConvTranspose.
Result<WindowAxis> ResolveTransposedWindowAxis(const WindowAttrs& window, int axis, int64_t in);

// What Slice takes of each axis of its input: elements start, start + step ... count of them.
struct SliceAxis {
  int64_t start = 0, step = 1, count = 0;
};
// starts, ends   as Slice's inputs; axes and steps: null where left out
// Errors         kInvalidArgument (without node name)
Result<std::vector<SliceAxis>> ResolveSlice(const Dims& in, std::span<const int64_t> starts,
                                            std::span<const int64_t> ends, const std::vector<int64_t>* axes,
                                            const std::vector<int64_t>* steps);

}  // namespace inkread

#endif  // INKREAD_GRAPH_SHAPES_H_
