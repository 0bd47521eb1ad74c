// Identity, Reshape, Squeeze, Unsqueeze, Transpose, Slice and Gather of one element -> views. The only step is a copy
// where a Reshape needs the elements in another order.
#include <algorithm>

#include "planner/ops/families.h"

namespace inkread {

Result<View> ViewReshape(ScheduleBuilder& builder, const Node& node, const View& x) {
  const Dims& dims = builder.DimsOf(node.output);
  if (auto reshaped = Reshaped(x, dims)) return *reshaped;
  INKREAD_ASSIGN_OR_RETURN(const View dense, builder.CopyDense(x, node));
  auto reshaped = Reshaped(dense, dims);
  if (!reshaped) return builder.NotSupported(node, "cannot be seen as ", DimsToString(dims));
  return *reshaped;
}

Result<View> ViewTranspose(ScheduleBuilder&, const Node& node, const View& x) {
  std::vector<int64_t> perm = std::get<PermAttrs>(node.attrs).perm;
  for (int64_t axis = x.rank - 1; static_cast<int>(perm.size()) < x.rank; --axis) perm.push_back(axis);
  return Transposed(x, perm);
}

Result<View> ViewSlice(ScheduleBuilder& builder, const Node& node, const View& x) {
  const std::vector<int64_t>* starts = builder.IntsOf(node.inputs[1]);
  const std::vector<int64_t>* axes = node.inputs.size() > 3 ? builder.IntsOf(node.inputs[3]) : nullptr;
  const std::vector<int64_t>* steps = node.inputs.size() > 4 ? builder.IntsOf(node.inputs[4]) : nullptr;
  if (starts == nullptr) return builder.NotSupported(node, "starts are not known");
  View view = x;
  for (size_t i = 0; i < starts->size(); ++i) {
    if (steps != nullptr && (*steps)[i] != 1) return builder.NotSupported(node, "only steps of 1 can be sliced");
    int64_t axis = axes != nullptr ? (*axes)[i] : static_cast<int64_t>(i);
    if (axis < 0) axis += view.rank;
    int64_t start = (*starts)[i] < 0 ? (*starts)[i] + view.dims[axis] : (*starts)[i];
    start = std::clamp<int64_t>(start, 0, view.dims[axis]);
    view = Sliced(view, static_cast<int>(axis), start, builder.DimsOf(node.output)[axis]);
  }
  return view;
}

Result<View> ViewGather(ScheduleBuilder& builder, const Node& node, const View& x) {
  const std::vector<int64_t>* index = builder.IntsOf(node.inputs[1]);
  if (index == nullptr || index->size() != 1 || !builder.DimsOf(node.inputs[1]).empty())
    return builder.NotSupported(node, "only one constant element can be taken");
  int64_t axis = std::get<AxesAttrs>(node.attrs).axes[0];
  if (axis < 0) axis += x.rank;
  const int64_t at = (*index)[0] < 0 ? (*index)[0] + x.dims[axis] : (*index)[0];
  return Selected(x, static_cast<int>(axis), at);
}

}  // namespace inkread
