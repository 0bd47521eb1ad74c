// Computes the dimensions of every value of a graph for one input shape. Also computes the elements of small integer
// tensors (results of Shape, Slice, Concat ...), which Reshape and similar operators use as target shapes.
#ifndef INKREAD_GRAPH_SHAPES_H_
#define INKREAD_GRAPH_SHAPES_H_

#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// Limit of the elements of an integer tensor; larger than any tensor from which shapes are computed.
inline constexpr int64_t kMaxShapeInts = 512;

struct ValueShape {
  Dims dims;
  // The elements of an integer value. Not set for floats and for constants of more than kMaxShapeInts elements.
  std::optional<std::vector<int64_t>> ints;
};

// Returns   one entry per value, constants included; the entry of a value that no node produces stays empty
// Errors    kInvalidArgument (the input shape does not fit; names node, expected and actual shape), kUnsupported
// Cost      well below 1 ms; runs for every new image size
Result<std::vector<ValueShape>> InferShapes(const Graph& graph, const Dims& input_dims);

// The output length along one axis and the padding at its two ends, with dilation and auto_pad resolved. With ceil_mode
// the last window may extend past the padding; a pool does not count the elements there.
struct WindowAxis {
  int64_t out = 0, pad_begin = 0, pad_end = 0;
};
// For Conv and the pools. axis: 0 = h, 1 = w. Errors: kInvalidArgument (the window does not fit; without node name).
Result<WindowAxis> ResolveWindowAxis(const WindowAttrs& window, int axis, int64_t in);
// For ConvTranspose.
Result<WindowAxis> ResolveTransposedWindowAxis(const WindowAttrs& window, int axis, int64_t in);

// The elements of each axis that Slice takes: `count` elements, beginning with `start`, `step` apart.
struct SliceAxis {
  int64_t start = 0, step = 1, count = 0;
};
// starts, ends, axes, steps   the inputs of Slice; axes and steps may be null if omitted
// Errors  kInvalidArgument (the message does not name the node)
Result<std::vector<SliceAxis>> ResolveSlice(const Dims& in, std::span<const int64_t> starts,
                                            std::span<const int64_t> ends, const std::vector<int64_t>* axes,
                                            const std::vector<int64_t>* steps);

}  // namespace inkread

#endif  // INKREAD_GRAPH_SHAPES_H_
