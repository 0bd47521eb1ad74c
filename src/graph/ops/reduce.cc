// ReduceMean.
#include "graph/ops/families.h"

namespace inkread {

Status ReadReduceMean(NodeReader& reader, Node& node) {
  AxesAttrs attrs;
  attrs.axes = reader.Ints("axes");
  attrs.keepdims = reader.Flag("keepdims", true);
  node.attrs = attrs;
  return reader.Finish();
}

Status InferReduceMean(NodeShapes& node) {
  const Dims& x = node.In(0);
  const auto& attrs = node.AttrsAs<AxesAttrs>();
  INKREAD_ASSIGN_OR_RETURN(uint32_t mask, AxesMask(node, attrs.axes, x.size()));
  if (attrs.axes.empty()) mask = ~0u;
  Dims& out = node.Out().dims;
  for (size_t i = 0; i < x.size(); ++i) {
    if ((mask >> i & 1) == 0) {
      out.push_back(x[i]);
    } else if (attrs.keepdims) {
      out.push_back(1);
    }
  }
  return Status();
}

}  // namespace inkread
