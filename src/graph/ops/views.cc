// Reshape, Squeeze, Unsqueeze, Transpose: the same elements with other dims.
#include <algorithm>

#include "base/checked.h"
#include "graph/ops/families.h"

namespace inkread {

Result<uint32_t> AxesMask(const NodeShapes& node, std::span<const int64_t> axes, size_t rank) {
  uint32_t mask = 0;
  for (int64_t axis : axes) {
    const int64_t normal = NormalAxis(axis, rank);
    if (normal < 0 || normal >= 32 || (mask >> normal & 1) != 0) {
      return node.Error("axes are ", DimsToString(axes), ", expected different ones of ", rank, " dimensions");
    }
    mask |= 1u << normal;
  }
  return mask;
}

Status ReadReshape(NodeReader& reader, Node&) {
  if (reader.Flag("allowzero", false)) reader.FailUnsupported("allowzero is set");
  return reader.Finish();
}

namespace {

// The axes are an attribute before opset 13 and an input since then.
Status ReadAxes(NodeReader& reader, Node& node, bool required) {
  AxesAttrs attrs;
  attrs.axes = reader.HasInput(1) ? reader.IntsInput(1, "axes") : reader.Ints("axes");
  if (required && attrs.axes.empty()) reader.FailCorrupt("has no axes");
  reader.DropInputsFrom(1);
  node.attrs = attrs;
  return reader.Finish();
}

}  // namespace

Status ReadSqueeze(NodeReader& reader, Node& node) { return ReadAxes(reader, node, false); }
Status ReadUnsqueeze(NodeReader& reader, Node& node) { return ReadAxes(reader, node, true); }

Status ReadTranspose(NodeReader& reader, Node& node) {
  node.attrs = PermAttrs{reader.Ints("perm")};
  return reader.Finish();
}

Status InferReshape(NodeShapes& node) {
  const Dims& x = node.In(0);
  const std::vector<int64_t>* target = node.Ints(1);
  if (target == nullptr) return node.NotSupported("its target shape depends on more than the input's shape");
  Dims& out = node.Out().dims;
  out = *target;
  int free_axis = -1;
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == 0 && i < x.size()) out[i] = x[i];
    if (out[i] == -1 && free_axis < 0) {
      free_axis = static_cast<int>(i);
      out[i] = 1;
    }
  }
  const auto from = CheckedProduct(x);
  const auto to = CheckedProduct(out);
  bool fits = from && to && std::all_of(out.begin(), out.end(), [](int64_t dim) { return dim >= 0; });
  if (fits && free_axis >= 0) {
    fits = *to != 0 && *from % *to == 0;
    if (fits) out[free_axis] = *from / *to;
  } else if (fits) {
    fits = *from == *to;
  }
  if (!fits) return node.Error("input is ", DimsToString(x), ", target is ", DimsToString(*target));
  return InferInts(node);
}

Status InferSqueeze(NodeShapes& node) {
  const Dims& x = node.In(0);
  const auto& attrs = node.AttrsAs<AxesAttrs>();
  INKREAD_ASSIGN_OR_RETURN(const uint32_t mask, AxesMask(node, attrs.axes, x.size()));
  Dims& out = node.Out().dims;
  for (size_t i = 0; i < x.size(); ++i) {
    const bool drop = attrs.axes.empty() ? x[i] == 1 : (mask >> i & 1) != 0;
    if (!drop) {
      out.push_back(x[i]);
    } else if (x[i] != 1) {
      return node.Error("input is ", DimsToString(x), ", axes are ", DimsToString(attrs.axes), ", expected 1 there");
    }
  }
  return InferInts(node);
}

Status InferUnsqueeze(NodeShapes& node) {
  const Dims& x = node.In(0);
  const auto& attrs = node.AttrsAs<AxesAttrs>();
  const size_t rank = x.size() + attrs.axes.size();
  INKREAD_ASSIGN_OR_RETURN(const uint32_t mask, AxesMask(node, attrs.axes, rank));
  Dims& out = node.Out().dims;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) out.push_back(i < 32 && (mask >> i & 1) != 0 ? 1 : x[next++]);
  return InferInts(node);
}

Status InferTranspose(NodeShapes& node) {
  const Dims& x = node.In(0);
  const std::vector<int64_t>& perm = node.AttrsAs<PermAttrs>().perm;
  Dims& out = node.Out().dims;
  if (perm.empty()) {
    out.assign(x.rbegin(), x.rend());
    return InferInts(node);
  }
  if (perm.size() != x.size()) return node.Error("input is ", DimsToString(x), ", perm is ", DimsToString(perm));
  uint32_t seen = 0;
  for (int64_t axis : perm) {
    if (axis < 0 || axis >= static_cast<int64_t>(x.size()) || (seen >> axis & 1) != 0) {
      return node.Error("input is ", DimsToString(x), ", perm is ", DimsToString(perm));
    }
    seen |= 1u << axis;
    out.push_back(x[axis]);
  }
  return InferInts(node);
}

}  // namespace inkread
