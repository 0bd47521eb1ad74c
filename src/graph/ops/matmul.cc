// MatMul, Gemm and Attention.
#include "graph/ops/broadcast.h"
#include "graph/ops/families.h"

namespace inkread {

Status ReadGemm(NodeReader& reader, Node& node) {
  GemmAttrs attrs;
  attrs.alpha = reader.Float("alpha", 1);
  attrs.beta = reader.Float("beta", 1);
  attrs.trans_a = reader.Flag("transA", false);
  attrs.trans_b = reader.Flag("transB", false);
  node.attrs = attrs;
  return reader.Finish();
}

Status InferGemm(NodeShapes& node) {
  INKREAD_RETURN_IF_ERROR(node.CheckRank(0, 2));
  INKREAD_RETURN_IF_ERROR(node.CheckRank(1, 2));
  const auto& attrs = node.AttrsAs<GemmAttrs>();
  const Dims& a = node.In(0);
  const Dims& b = node.In(1);
  if (a[attrs.trans_a ? 0 : 1] != b[attrs.trans_b ? 1 : 0]) {
    return node.Error("inputs are ", DimsToString(a), attrs.trans_a ? " transposed" : "", " and ", DimsToString(b),
                      attrs.trans_b ? " transposed" : "");
  }
  Dims& out = node.Out().dims;
  out = {a[attrs.trans_a ? 1 : 0], b[attrs.trans_b ? 0 : 1]};
  if (node.Has(2)) {
    Dims sum;
    if (!BroadcastDims(out, node.In(2), sum) || sum != out) {
      return node.Error("bias is ", DimsToString(node.In(2)), ", the result is ", DimsToString(out));
    }
  }
  return Status();
}

Status InferMatMul(NodeShapes& node) {
  const Dims& a = node.In(0);
  const Dims& b = node.In(1);
  if (a.size() < 2 || b.size() < 2) {
    return node.NotSupported("inputs are ", DimsToString(a), " and ", DimsToString(b),
                             ", expected at least two dimensions each");
  }
  Dims& out = node.Out().dims;
  if (a.back() != b[b.size() - 2] ||
      !BroadcastDims(std::span(a).first(a.size() - 2), std::span(b).first(b.size() - 2), out)) {
    return node.Error("inputs are ", DimsToString(a), " and ", DimsToString(b));
  }
  out.push_back(a[a.size() - 2]);
  out.push_back(b.back());
  if (node.Has(2) && node.In(2) != Dims{b.back()}) {
    return node.Error("bias is ", DimsToString(node.In(2)), ", expected [", b.back(), "]");
  }
  return Status();
}

Status InferAttention(NodeShapes& node) {
  for (size_t i = 0; i < 3; ++i) INKREAD_RETURN_IF_ERROR(node.CheckRank(i, 4));
  const Dims& q = node.In(0);
  const Dims& k = node.In(1);
  const Dims& v = node.In(2);
  if (q[0] != k[0] || q[1] != k[1] || q[3] != k[3] || k[0] != v[0] || k[1] != v[1] || k[2] != v[2]) {
    return node.Error("q is ", DimsToString(q), ", k is ", DimsToString(k), ", v is ", DimsToString(v));
  }
  node.Out().dims = {q[0], q[1], q[2], v[3]};
  return Status();
}

}  // namespace inkread
