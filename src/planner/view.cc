#include "planner/view.h"

#include "base/status.h"

namespace inkread {
namespace {

// Which axes are n, h and w; -1 where there is none.
struct Axes {
  int n = -1, h = -1, w = -1;
};
std::optional<Axes> AxesOf(int rank, int channel_axis) {
  if (rank == 4 && channel_axis == 1) return Axes{0, 2, 3};
  if (rank == 4 && channel_axis == 3) return Axes{0, 1, 2};
  if (rank == 3 && channel_axis == 1) return Axes{0, -1, 2};
  if (rank == 3 && channel_axis == 2) return Axes{0, -1, 1};
  if (rank == 2 && channel_axis == 1) return Axes{0, -1, -1};
  return std::nullopt;
}

}  // namespace

std::optional<Shape> ShapeOf(std::span<const int64_t> dims, int channel_axis) {
  const auto axes = AxesOf(static_cast<int>(dims.size()), channel_axis);
  if (!axes) return std::nullopt;
  const auto at = [&](int axis) { return axis < 0 ? 1u : static_cast<uint32_t>(dims[axis]); };
  return Shape{at(axes->n), at(axes->h), at(axes->w), at(channel_axis)};
}

View ViewOfPixels(const Pixels& pixels, std::span<const int64_t> dims, int channel_axis) {
  const auto axes = AxesOf(static_cast<int>(dims.size()), channel_axis);
  INKREAD_CHECK(axes && ShapeOf(dims, channel_axis) == pixels.shape);
  View view;
  view.buffer = pixels.buffer;
  view.offset = pixels.offset;
  view.rank = static_cast<int>(dims.size());
  for (int i = 0; i < view.rank; ++i) view.dims[i] = dims[i];
  const int64_t ld = pixels.ld, w = pixels.shape.w, h = pixels.shape.h;
  view.strides[channel_axis] = 1;
  if (axes->w >= 0) view.strides[axes->w] = ld;
  if (axes->h >= 0) view.strides[axes->h] = w * ld;
  view.strides[axes->n] = h * w * ld;
  return view;
}

std::optional<Pixels> PixelsOfView(const View& view, int channel_axis) {
  const auto axes = AxesOf(view.rank, channel_axis);
  if (!axes) return std::nullopt;
  if (view.dims[channel_axis] > 1 && view.strides[channel_axis] != 1) return std::nullopt;
  const auto shape = ShapeOf({view.dims.data(), static_cast<size_t>(view.rank)}, channel_axis);
  // The stride of the innermost axis with more than one element is the distance between pixels.
  int64_t ld = view.dims[channel_axis], step = 1;
  bool known = false;
  for (int axis : {axes->w, axes->h, axes->n}) {
    if (axis < 0 || view.dims[axis] == 1) continue;
    if (!known) {
      ld = view.strides[axis];
      known = true;
    } else if (view.strides[axis] != step * ld) {
      return std::nullopt;
    }
    step *= view.dims[axis];
  }
  if (ld < view.dims[channel_axis]) return std::nullopt;
  return Pixels{view.buffer, view.offset, *shape, static_cast<uint32_t>(ld)};
}

std::optional<View> Reshaped(const View& view, std::span<const int64_t> dims) {
  View out;
  out.buffer = view.buffer;
  out.offset = view.offset;
  out.rank = static_cast<int>(dims.size());
  if (out.rank > View::kMaxRank) return std::nullopt;
  for (int i = 0; i < out.rank; ++i) out.dims[i] = dims[i];

  // Neighbouring axes without a gap between them are a run, which can be divided anew. No new axis may span two runs.
  int next = out.rank - 1;  // new axis to be given a stride, from the last
  int i = view.rank - 1;
  while (i >= 0) {
    while (i >= 0 && view.dims[i] == 1) --i;
    if (i < 0) break;
    const int64_t stride = view.strides[i];
    int64_t run = view.dims[i--];
    for (; i >= 0 && (view.dims[i] == 1 || view.strides[i] == run * stride); --i) run *= view.dims[i];
    int64_t filled = 1;
    while (next >= 0 && filled < run) {
      out.strides[next] = filled * stride;
      filled *= out.dims[next--];
    }
    if (filled != run) return std::nullopt;
  }
  for (; next >= 0; --next) {
    if (out.dims[next] != 1) return std::nullopt;
    out.strides[next] = 0;
  }
  return out;
}

View Transposed(const View& view, std::span<const int64_t> perm) {
  View out = view;
  for (int i = 0; i < view.rank; ++i) {
    out.dims[i] = view.dims[perm[i]];
    out.strides[i] = view.strides[perm[i]];
  }
  return out;
}

View Sliced(const View& view, int axis, int64_t start, int64_t length) {
  View out = view;
  out.offset += start * view.strides[axis];
  out.dims[axis] = length;
  return out;
}

View Selected(const View& view, int axis, int64_t index) {
  View out = Sliced(view, axis, index, 1);
  for (int i = axis; i + 1 < view.rank; ++i) {
    out.dims[i] = view.dims[i + 1];
    out.strides[i] = view.strides[i + 1];
  }
  --out.rank;
  return out;
}

}  // namespace inkread
