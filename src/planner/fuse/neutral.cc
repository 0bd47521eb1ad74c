// x + 0, x - 0, x * 1 and x / 1 become Identity. Exporters write them where a scale or a bias was optional.
#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {

void RemoveNeutral(Graph& graph) {
  Matcher m(graph);
  for (Node& node : graph.nodes) {
    const bool sum = node.op == OpType::kAdd || node.op == OpType::kSub;
    const bool product = node.op == OpType::kMul || node.op == OpType::kDiv;
    if (!sum && !product) continue;
    const auto split = m.SplitScalar(node);
    if (!split || split->scalar != (sum ? 0.0f : 1.0f) || graph.ConstantOf(split->other)) continue;
    const bool ordered = node.op == OpType::kSub || node.op == OpType::kDiv;
    if (ordered && node.inputs[0] != split->other) continue;  // 0 - x is not x
    node = {OpType::kIdentity, node.name, {split->other}, node.output, {}};
  }
}

}  // namespace inkread
