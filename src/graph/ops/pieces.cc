// Concat, Gather, Slice.
#include <algorithm>

#include "base/checked.h"
#include "graph/ops/families.h"

namespace inkread {
namespace {

// The axis of Concat or Gather as an index.
Result<size_t> TheAxis(const NodeShapes& node) {
  const auto& attrs = node.AttrsAs<AxesAttrs>();
  const int64_t axis = attrs.axes.size() == 1 ? NormalAxis(attrs.axes[0], node.In(0).size()) : -1;
  if (axis < 0) return node.Error("axis is ", DimsToString(attrs.axes), ", input is ", DimsToString(node.In(0)));
  return static_cast<size_t>(axis);
}

}  // namespace

Status ReadConcat(NodeReader& reader, Node& node) {
  if (!reader.HasAttr("axis")) reader.FailCorrupt("has no axis");
  AxesAttrs attrs;
  attrs.axes = {reader.Int("axis", 0, -8, 7)};
  node.attrs = attrs;
  return reader.Finish();
}

Status ReadGather(NodeReader& reader, Node& node) {
  AxesAttrs attrs;
  attrs.axes = {reader.Int("axis", 0, -8, 7)};
  node.attrs = attrs;
  return reader.Finish();
}

Status InferConcat(NodeShapes& node) {
  INKREAD_ASSIGN_OR_RETURN(const size_t axis, TheAxis(node));
  Dims& out = node.Out().dims;
  out = node.In(0);
  for (size_t i = 1; i < node.num_inputs(); ++i) {
    const Dims& x = node.In(i);
    bool fits = x.size() == out.size();
    for (size_t d = 0; fits && d < out.size(); ++d) fits = d == axis || x[d] == out[d];
    const auto sum = fits ? CheckedAdd(out[axis], x[axis]) : std::nullopt;
    if (!sum) {
      return node.Error("input ", i, " is ", DimsToString(x), ", input 0 is ", DimsToString(node.In(0)), ", axis is ",
                        axis);
    }
    out[axis] = *sum;
  }
  return InferInts(node);
}

Status InferGather(NodeShapes& node) {
  INKREAD_ASSIGN_OR_RETURN(const size_t axis, TheAxis(node));
  const Dims& x = node.In(0);
  const std::vector<int64_t>* indices = node.Ints(1);
  if (indices == nullptr)
    return node.NotSupported("its indices depend on more than the input's shape, or are too many");
  for (int64_t index : *indices) {
    if (index < -x[axis] || index >= x[axis]) {
      return node.Error("index ", index, " is out of range for axis ", axis, " of ", DimsToString(x));
    }
  }
  Dims& out = node.Out().dims;
  const auto split = x.begin() + static_cast<ptrdiff_t>(axis);
  out.assign(x.begin(), split);
  out.insert(out.end(), node.In(1).begin(), node.In(1).end());
  out.insert(out.end(), split + 1, x.end());
  return InferInts(node);
}

Result<std::vector<SliceAxis>> ResolveSlice(const Dims& in, std::span<const int64_t> starts,
                                            std::span<const int64_t> ends, const std::vector<int64_t>* axes,
                                            const std::vector<int64_t>* steps) {
  const size_t count = starts.size();
  if (ends.size() != count || (axes != nullptr && axes->size() != count) ||
      (steps != nullptr && steps->size() != count) || count > in.size()) {
    return InvalidArgument("starts, ends, axes and steps differ in number, or are more than the input's dimensions");
  }
  std::vector<SliceAxis> result(in.size());
  for (size_t d = 0; d < in.size(); ++d) result[d].count = in[d];
  for (size_t i = 0; i < count; ++i) {
    const int64_t axis = NormalAxis(axes != nullptr ? (*axes)[i] : static_cast<int64_t>(i), in.size());
    if (axis < 0) return InvalidArgument("axis ", (*axes)[i], " is out of range for ", DimsToString(in));
    const int64_t dim = in[axis];
    const int64_t step = steps != nullptr ? (*steps)[i] : 1;
    if (step == 0 || step == INT64_MIN) return InvalidArgument("step is ", step);
    // Clamped as in ONNX: to [0, dim] for positive steps, to [-1, dim - 1] for negative ones.
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? dim : dim - 1;
    auto clamp = [&](int64_t at) { return std::clamp(at < 0 ? at + dim : at, low, high); };
    // A start before the first element becomes the first element, also for negative steps.
    const int64_t start = std::max<int64_t>(clamp(starts[i]), 0);
    const int64_t end = clamp(ends[i]);
    SliceAxis& slice = result[axis];
    slice.start = start;
    slice.step = step;
    if (step > 0) {
      slice.count = end > start ? (end - start - 1) / step + 1 : 0;
    } else {
      slice.count = start > end ? (start - end - 1) / -step + 1 : 0;
    }
    if (dim == 0) slice = {0, 1, 0};
  }
  return result;
}

Status InferSlice(NodeShapes& node) {
  const Dims& x = node.In(0);
  for (size_t i = 1; i < 5; ++i) {
    if (node.Has(i) && node.Ints(i) == nullptr)
      return node.NotSupported("input ", i, " depends on more than the input's shape");
  }
  const auto slices = ResolveSlice(x, *node.Ints(1), *node.Ints(2), node.Ints(3), node.Ints(4));
  if (!slices.ok()) return node.Error("input is ", DimsToString(x), ": ", slices.status().message());
  for (const SliceAxis& slice : *slices) node.Out().dims.push_back(slice.count);
  return InferInts(node);
}

}  // namespace inkread
