// Elementwise operators, with ONNX's (numpy's) broadcasting.
#include <algorithm>
#include <limits>

#include "graph/ops/broadcast.h"
#include "graph/ops/families.h"

namespace inkread {

bool BroadcastDims(std::span<const int64_t> a, std::span<const int64_t> b, Dims& out) {
  const size_t rank = std::max(a.size(), b.size());
  out.resize(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t da = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
    const int64_t db = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
    if (da != db && da != 1 && db != 1) return false;
    out[i] = da == 1 ? db : da;
  }
  return true;
}

Status ReadClip(NodeReader& reader, Node& node) {
  ScalarAttrs limits;
  limits.alpha = reader.FloatInput(1, "min", std::numeric_limits<float>::lowest());
  limits.beta = reader.FloatInput(2, "max", std::numeric_limits<float>::max());
  reader.DropInputsFrom(1);
  node.attrs = limits;
  return reader.Finish();
}

Status ReadHardSigmoid(NodeReader& reader, Node& node) {
  ScalarAttrs attrs;
  attrs.alpha = reader.Float("alpha", 0.2f);
  attrs.beta = reader.Float("beta", 0.5f);
  node.attrs = attrs;
  return reader.Finish();
}

Status InferUnary(NodeShapes& node) {
  node.Out().dims = node.In(0);
  return InferInts(node);
}

Status InferBinary(NodeShapes& node) {
  if (!BroadcastDims(node.In(0), node.In(1), node.Out().dims)) {
    return node.Error("inputs are ", DimsToString(node.In(0)), " and ", DimsToString(node.In(1)),
                      ", which do not broadcast");
  }
  return InferInts(node);
}

}  // namespace inkread
