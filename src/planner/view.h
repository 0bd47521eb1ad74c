// The place of a network's value in a buffer: ONNX's dimensions with a stride each. Reshape, Transpose, Squeeze, Slice
// and Gather only make another view. Elements are copied only where a kernel cannot read the view.
#ifndef INKREAD_PLANNER_VIEW_H_
#define INKREAD_PLANNER_VIEW_H_

#include <cstdint>
#include <optional>
#include <span>

#include "graph/graph.h"
#include "schedule/step.h"

namespace inkread {

struct View {
  static constexpr int kMaxRank = 6;
  int buffer = -1;
  uint64_t offset = 0;  // elements from the buffer's start
  int rank = 0;
  std::array<int64_t, kMaxRank> dims{};
  std::array<int64_t, kMaxRank> strides{};  // elements
};

// Pixels of a buffer, as a kernel's operand describes them.
struct Pixels {
  int buffer = -1;
  uint64_t offset = 0;  // elements
  Shape shape;
  uint32_t ld = 0;
};

// The [n, h, w, c] of dimensions whose channels are axis `channel_axis`: [n, c, h, w] with axis 1, [n, t, c] with axis
// 2, [n, c, t] with axis 1, [n, c] with axis 1, [n, h, w, c] with axis 3.
std::optional<Shape> ShapeOf(std::span<const int64_t> dims, int channel_axis);

// A view of dimensions `dims` on pixels, which must have ShapeOf(dims, channel_axis).
View ViewOfPixels(const Pixels& pixels, std::span<const int64_t> dims, int channel_axis);

// The view as pixels; absent where its strides do not allow that.
std::optional<Pixels> PixelsOfView(const View& view, int channel_axis);

// The same elements in the same logical order with other dimensions; absent where that needs a copy.
std::optional<View> Reshaped(const View& view, std::span<const int64_t> dims);
View Transposed(const View& view, std::span<const int64_t> perm);
// Elements [start, start + length) of one axis.
View Sliced(const View& view, int axis, int64_t start, int64_t length);
// Element `index` of one axis. The result does not have that axis.
View Selected(const View& view, int axis, int64_t index);

}  // namespace inkread

#endif  // INKREAD_PLANNER_VIEW_H_
