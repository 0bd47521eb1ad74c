// Pad and Resize.
#include <cmath>

#include "base/checked.h"
#include "graph/ops/families.h"

namespace inkread {

Status ReadPad(NodeReader& reader, Node&) {
  const std::string_view mode = reader.String("mode", "constant");
  if (mode != "constant") reader.FailUnsupported("mode '", mode, "' is not supported");
  return reader.Finish();
}

Status ReadResize(NodeReader& reader, Node& node) {
  const std::string_view mode = reader.String("mode", "nearest");
  const std::string_view coordinates = reader.String("coordinate_transformation_mode", "half_pixel");
  const std::string_view nearest = reader.String("nearest_mode", "round_prefer_floor");
  // These attributes belong to other modes.
  for (const char* name : {"cubic_coeff_a", "exclude_outside", "extrapolation_value"}) reader.Ignore(name);
  node.attrs = ResizeAttrs{mode == "nearest" && coordinates == "asymmetric" && nearest == "floor"};
  return reader.Finish();
}

Status InferPad(NodeShapes& node) {
  const Dims& x = node.In(0);
  const std::vector<int64_t>* pads = node.Ints(1);
  if (pads == nullptr) return node.NotSupported("its pads depend on more than the input's shape");
  if (pads->size() != 2 * x.size()) return node.Error("input is ", DimsToString(x), ", pads are ", DimsToString(*pads));
  Dims& out = node.Out().dims;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto both = CheckedAdd((*pads)[i], (*pads)[i + x.size()]);
    const auto sum = both ? CheckedAdd(x[i], *both) : std::nullopt;
    if (!sum) return node.Error("pads are ", DimsToString(*pads));
    out.push_back(*sum);
  }
  return Status();
}

Status InferResize(NodeShapes& node) {
  const Dims& x = node.In(0);
  Dims& out = node.Out().dims;
  if (node.Has(3)) {
    const std::vector<int64_t>* sizes = node.Ints(3);
    if (sizes == nullptr) return node.NotSupported("its sizes depend on more than the input's shape");
    if (sizes->size() != x.size()) {
      return node.Error("input is ", DimsToString(x), ", sizes are ", DimsToString(*sizes));
    }
    out = *sizes;
    return Status();
  }
  const Tensor* scales = node.Constant(2);
  if (scales == nullptr) return node.NotSupported("has neither constant scales nor sizes");
  if (scales->floats.size() != x.size()) {
    return node.Error("input is ", DimsToString(x), ", there are ", scales->floats.size(), " scales");
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const double length = std::floor(static_cast<double>(x[i]) * static_cast<double>(scales->floats[i]));
    if (!(length >= 1 && length < 1e12))
      return node.Error("scale ", scales->floats[i], " of axis ", i, " is out of range");
    out.push_back(static_cast<int64_t>(length));
  }
  return Status();
}

}  // namespace inkread
