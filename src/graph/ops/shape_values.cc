// Shape, Cast, and the integers that pass from Shape to Reshape and similar operators.
#include "base/checked.h"
#include "graph/ops/evaluate.h"
#include "graph/ops/families.h"

namespace inkread {

Status ReadCast(NodeReader& reader, Node& node) {
  if (!reader.HasAttr("to")) reader.FailCorrupt("has no attribute 'to'");
  const int64_t to = reader.Int("to", onnx::kFloat32, 0, 1 << 16);
  if (to != onnx::kFloat32 && to != onnx::kInt32 && to != onnx::kInt64) {
    reader.FailUnsupported("casts to data type ", to, " (", onnx::DataTypeName(static_cast<int32_t>(to)),
                           "), which is not supported");
  }
  node.attrs = CastAttrs{to != onnx::kFloat32};
  return reader.Finish();
}

Status ReadShape(NodeReader& reader, Node&) {
  if (reader.Int("start", 0, INT64_MIN, INT64_MAX) != 0 || reader.HasAttr("end")) {
    reader.FailUnsupported("start and end are not supported");
  }
  return reader.Finish();
}

Status InferShape(NodeShapes& node) {
  ValueShape& out = node.Out();
  out.dims = {static_cast<int64_t>(node.In(0).size())};
  out.ints = node.In(0);
  return Status();
}

Status InferCast(NodeShapes& node) {
  node.Out().dims = node.In(0);
  const std::vector<int64_t>* ints = node.Ints(0);
  const bool to_int = node.AttrsAs<CastAttrs>().to_int;
  // FoldConstants handles the cast of a constant.
  if (node.Constant(0) == nullptr && to_int != (ints != nullptr)) {
    return node.NotSupported("casts ", to_int ? "floats to integers" : "integers to floats",
                             ", of values that the network computes");
  }
  if (to_int && ints != nullptr) node.Out().ints = *ints;
  return Status();
}

Status InferInts(NodeShapes& node) {
  const size_t num_data = NumDataInputs(node.node());
  std::vector<std::span<const int64_t>> data;
  for (size_t i = 0; i < num_data; ++i) {
    const std::vector<int64_t>* ints = node.Ints(i);
    if (ints == nullptr) return Status();
    if (i == 0) data.reserve(num_data);
    data.push_back(*ints);
  }
  ValueShape& out = node.Out();
  const auto elements = CheckedProduct(out.dims);
  if (!elements || *elements > kMaxShapeInts) {
    return node.NotSupported("computes with integers ", DimsToString(out.dims), ", at most ", kMaxShapeInts, " can be");
  }
  return EvaluateNode<int64_t>(node, data, out.ints.emplace());
}

}  // namespace inkread
