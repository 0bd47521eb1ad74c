// MatMul(q, k^T), Softmax, MatMul(., v) -> Attention, with a constant scale on q, on k or on the product.
#include <vector>

#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {
namespace {

bool IsView(OpType op) {
  return op == OpType::kReshape || op == OpType::kSqueeze || op == OpType::kUnsqueeze || op == OpType::kTranspose;
}

// Where v is views of (constant * u), each read once: bypasses the product and multiplies `scale` by the constant.
// Returns the value that takes the place of v.
ValueId TakeScaleOut(Matcher& m, ValueId v, float& scale) {
  int reader = -1;
  ValueId at = v;
  while (true) {
    const int producer = m.ProducerOf(at);
    if (producer < 0) return v;
    const Node& node = m.node(producer);
    if (node.op == OpType::kMul) {
      const auto split = m.SplitScalar(node);
      if (!split || m.OnlyReaderOf(at) < 0) return v;
      scale *= split->scalar;
      if (reader < 0) return split->other;
      Node bypassed = m.node(reader);
      bypassed.inputs[0] = split->other;
      m.Replace(reader, bypassed);
      return v;
    }
    if (!IsView(node.op) || m.OnlyReaderOf(at) < 0) return v;
    reader = producer;
    at = node.inputs[0];
  }
}

}  // namespace

void FuseAttention(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kSoftmax) continue;
    const int64_t axis = std::get<AxesAttrs>(m.node(i).attrs).axes[0];
    if (axis != -1 && axis != 3) continue;
    float scale = 1;
    ValueId scores = m.node(i).inputs[0];
    if (m.OnlyReaderOf(scores) != i) continue;
    if (const int mul = m.ProducerOf(scores, OpType::kMul); mul >= 0) {
      const auto split = m.SplitScalar(m.node(mul));
      if (!split || m.OnlyReaderOf(split->other) != mul) continue;
      scale *= split->scalar;
      scores = split->other;
    }
    const int qk = m.ProducerOf(scores, OpType::kMatMul);
    const int av = m.OnlyReaderOf(m.node(i).output, OpType::kMatMul);
    if (qk < 0 || av < 0 || m.node(av).inputs[0] != m.node(i).output) continue;
    if (m.node(qk).inputs.size() != 2 || m.node(av).inputs.size() != 2) continue;
    const int transpose = m.ProducerOf(m.node(qk).inputs[1], OpType::kTranspose);
    if (transpose < 0 || std::get<PermAttrs>(m.node(transpose).attrs).perm != std::vector<int64_t>{0, 1, 3, 2})
      continue;
    if (m.OnlyReaderOf(m.node(qk).inputs[1]) != qk) continue;  // k's scale is removed below
    const ValueId v = m.node(av).inputs[1];
    if (graph.ConstantOf(v) != nullptr) continue;
    const ValueId q = TakeScaleOut(m, m.node(qk).inputs[0], scale);
    const ValueId k = TakeScaleOut(m, m.node(transpose).inputs[0], scale);
    ScalarAttrs attrs;
    attrs.alpha = scale;
    m.Replace(av, {OpType::kAttention, "", {q, k, v}, kNoValue, attrs});
  }
}

}  // namespace inkread
