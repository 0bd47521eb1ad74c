// ReduceMean, Sub, Pow (or a product with itself), ReduceMean, Add, Sqrt, Div [, Mul [, Add]] -> LayerNorm.
#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {
namespace {

// A mean over the last axis that keeps it.
bool IsLastAxisMean(const Node& node) {
  if (node.op != OpType::kReduceMean) return false;
  const AxesAttrs& a = std::get<AxesAttrs>(node.attrs);
  return a.keepdims && a.axes.size() == 1 && a.axes[0] == -1;
}

// The other input of a two-input node that reads x, where that is a constant [c]; otherwise kNoValue. A constant of one
// element is none: it could be broadcast to any number of channels.
ValueId ChannelConstant(const Graph& g, const Node& node, ValueId x) {
  const ValueId other = node.inputs[0] == x ? node.inputs[1] : node.inputs[0];
  const Tensor* t = g.ConstantOf(other);
  return t != nullptr && !t->is_int && t->dims.size() == 1 && t->dims[0] > 1 ? other : kNoValue;
}

}  // namespace

void FuseLayerNorm(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kDiv) continue;
    const ValueId deviation = m.node(i).inputs[0];
    const int sub = m.ProducerOf(deviation, OpType::kSub);
    const int root = m.ProducerOf(m.node(i).inputs[1], OpType::kSqrt);
    if (sub < 0 || root < 0 || m.num_readers(m.node(root).output) != 1) continue;
    const int mean = m.ProducerOf(m.node(sub).inputs[1], OpType::kReduceMean);
    const ValueId x = m.node(sub).inputs[0];
    if (mean < 0 || !IsLastAxisMean(m.node(mean)) || m.node(mean).inputs[0] != x) continue;
    const int add = m.ProducerOf(m.node(root).inputs[0], OpType::kAdd);
    if (add < 0) continue;
    const auto epsilon = m.SplitScalar(m.node(add));
    if (!epsilon) continue;
    const int variance = m.ProducerOf(epsilon->other, OpType::kReduceMean);
    if (variance < 0 || !IsLastAxisMean(m.node(variance))) continue;
    const int square = m.ProducerOf(m.node(variance).inputs[0]);
    if (square < 0 || m.node(square).inputs.size() != 2 || m.node(square).inputs[0] != deviation) continue;
    const bool pow = m.node(square).op == OpType::kPow && m.IsScalar(m.node(square).inputs[1], 2.0f);
    const bool product = m.node(square).op == OpType::kMul && m.node(square).inputs[1] == deviation;
    if (!pow && !product) continue;
    if (m.num_readers(deviation) != (product ? 3 : 2)) continue;

    // The scale and the shift that often follow.
    int last = i;
    ValueId scale = kNoValue, shift = kNoValue;
    if (const int mul = m.OnlyReaderOf(m.node(last).output, OpType::kMul); mul >= 0) {
      scale = ChannelConstant(graph, m.node(mul), m.node(last).output);
      if (scale != kNoValue) last = mul;
    }
    if (const int plus = m.OnlyReaderOf(m.node(last).output, OpType::kAdd); plus >= 0) {
      shift = ChannelConstant(graph, m.node(plus), m.node(last).output);
      if (shift != kNoValue) last = plus;
    }
    ScalarAttrs attrs;
    attrs.alpha = epsilon->scalar;
    m.Replace(last, {OpType::kLayerNorm, "", {x, scale, shift}, kNoValue, attrs});
  }
}

}  // namespace inkread
