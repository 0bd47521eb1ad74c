// BatchNormalization, Softmax and LayerNorm: the result has the input's shape.
#include "graph/ops/families.h"

namespace inkread {

Status ReadBatchNormalization(NodeReader& reader, Node& node) {
  ScalarAttrs attrs;
  attrs.alpha = reader.Float("epsilon", 1e-5f);
  reader.Ignore("momentum");  // used in training only
  if (reader.Flag("training_mode", false)) reader.FailUnsupported("training_mode is set");
  node.attrs = attrs;
  return reader.Finish();
}

Status ReadSoftmax(NodeReader& reader, Node& node) {
  AxesAttrs attrs;
  attrs.flattened = reader.opset() < 13;
  attrs.axes = {reader.Int("axis", attrs.flattened ? 1 : -1, -8, 7)};
  node.attrs = attrs;
  return reader.Finish();
}

Status InferBatchNormalization(NodeShapes& node) {
  const Dims& x = node.In(0);
  if (x.size() < 2) return node.Error("input is ", DimsToString(x), ", expected [n, c, ...]");
  for (size_t i = 1; i < 5; ++i) {
    if (node.In(i) != Dims{x[1]}) {
      return node.Error("input ", i, " is ", DimsToString(node.In(i)), ", input has ", x[1], " channels");
    }
  }
  node.Out().dims = x;
  return Status();
}

Status InferSoftmax(NodeShapes& node) {
  const Dims& x = node.In(0);
  const auto& attrs = node.AttrsAs<AxesAttrs>();
  const int64_t axis = NormalAxis(attrs.axes.empty() ? -1 : attrs.axes[0], x.size());
  if (axis < 0) return node.Error("axis is ", attrs.axes[0], ", input is ", DimsToString(x));
  if (attrs.flattened) {
    for (size_t i = static_cast<size_t>(axis) + 1; i < x.size(); ++i) {
      if (x[i] != 1) {
        return node.NotSupported("Softmax over several axes (before opset 13, axis ", axis, " of ", DimsToString(x),
                                 ") is not supported");
      }
    }
  }
  node.Out().dims = x;
  return Status();
}

Status InferLayerNorm(NodeShapes& node) {
  const Dims& x = node.In(0);
  if (x.empty()) return node.Error("input is [], expected at least one dimension");
  for (size_t i = 1; i < 3; ++i) {
    if (node.Has(i) && node.In(i) != Dims{x.back()}) {
      return node.Error("input ", i, " is ", DimsToString(node.In(i)), ", expected [", x.back(), "]");
    }
  }
  node.Out().dims = x;
  return Status();
}

}  // namespace inkread
