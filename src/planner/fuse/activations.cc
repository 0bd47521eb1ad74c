// Gelu, Swish and HardSwish.
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "graph/passes/affine.h"
#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {
namespace {

// x where v is x / sqrt 2, as a quotient or as a product; otherwise kNoValue.
ValueId DividedBySqrt2(const Matcher& m, const Graph& g, ValueId v) {
  if (const int div = m.ProducerOf(v, OpType::kDiv); div >= 0) {
    if (m.IsScalar(g.nodes[div].inputs[1], std::sqrt(2.0f))) return g.nodes[div].inputs[0];
  }
  if (const int mul = m.ProducerOf(v, OpType::kMul); mul >= 0) {
    const auto split = m.SplitScalar(g.nodes[mul]);
    if (split && std::fabs(split->scalar - std::sqrt(0.5f)) < 1e-6f) return split->other;
  }
  return kNoValue;
}

ValueId OtherInput(const Node& node, ValueId one) { return node.inputs[0] == one ? node.inputs[1] : node.inputs[0]; }

// x * (1 + erf(x / sqrt 2)), where an optimiser moved the half into the weights of the only reader. Doubled weights are
// exact, and leave a Gelu before them.
void HalfFromWeights(Matcher& m, int product, ValueId x) {
  Graph& graph = m.graph();
  const int reader = m.OnlyReaderOf(m.node(product).output);
  if (reader < 0 || (m.node(reader).op != OpType::kConv && m.node(reader).op != OpType::kMatMul)) return;
  if (m.node(reader).inputs[0] != m.node(product).output) return;
  const Tensor* weights = graph.ConstantOf(m.node(reader).inputs[1]);
  if (weights == nullptr) return;
  std::vector<float> doubled(weights->floats.begin(), weights->floats.end());
  for (float& w : doubled) w *= 2;
  const Dims dims = weights->dims;
  const ValueId value = graph.AddValue(m.node(reader).name + ".doubled");
  graph.values[value].constant = Tensor::FromFloats(dims, std::move(doubled));
  Node changed = m.node(reader);
  changed.inputs[1] = value;
  m.Replace(reader, changed);
  m.Replace(product, {OpType::kGelu, "", {x}, kNoValue, {}});
}

}  // namespace

void FuseGelu(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kErf) continue;
    const ValueId x = DividedBySqrt2(m, graph, m.node(i).inputs[0]);
    if (x == kNoValue || m.OnlyReaderOf(m.node(i).inputs[0]) != i) continue;
    const int add = m.OnlyReaderOf(m.node(i).output, OpType::kAdd);
    if (add < 0 || !m.IsScalar(OtherInput(m.node(add), m.node(i).output), 1.0f)) continue;
    // (1 + erf) times x times 0.5: two products in any order, one of which may be x * 0.5.
    const int mul1 = m.OnlyReaderOf(m.node(add).output, OpType::kMul);
    if (mul1 < 0) continue;
    const ValueId factor = OtherInput(m.node(mul1), m.node(add).output);
    if (factor == x || m.IsScalar(factor, 0.5f)) {
      const int mul2 = m.OnlyReaderOf(m.node(mul1).output, OpType::kMul);
      if (mul2 < 0) {
        if (factor == x) HalfFromWeights(m, mul1, x);
        continue;
      }
      const ValueId last = OtherInput(m.node(mul2), m.node(mul1).output);
      if (factor == x ? m.IsScalar(last, 0.5f) : last == x) m.Replace(mul2, {OpType::kGelu, "", {x}, kNoValue, {}});
    } else if (const int half = m.ProducerOf(factor, OpType::kMul); half >= 0 && m.OnlyReaderOf(factor) == mul1) {
      const auto split = m.SplitScalar(m.node(half));
      if (split && split->scalar == 0.5f && split->other == x) m.Replace(mul1, {OpType::kGelu, "", {x}, kNoValue, {}});
    }
  }
}

void FuseSwish(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kSigmoid) continue;
    const ValueId x = m.node(i).inputs[0];
    const int mul = m.OnlyReaderOf(m.node(i).output, OpType::kMul);
    if (mul >= 0 && OtherInput(m.node(mul), m.node(i).output) == x)
      m.Replace(mul, {OpType::kSwish, "", {x}, kNoValue, {}});
  }
}

void FuseHardSwish(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    const Node& node = m.node(i);
    if (node.op == OpType::kHardSigmoid) {
      const ValueId x = node.inputs[0];
      const int mul = m.OnlyReaderOf(node.output, OpType::kMul);
      if (mul >= 0 && OtherInput(m.node(mul), node.output) == x)
        m.Replace(mul, {OpType::kHardSwish, "", {x}, kNoValue, node.attrs});
    } else if (node.op == OpType::kClip) {
      // x * clip(x + b, 0, high) / high = x * clamp(x / high + b / high, 0, 1)
      const ScalarAttrs clip = std::get<ScalarAttrs>(node.attrs);
      const int add = m.ProducerOf(node.inputs[0], OpType::kAdd);
      if (add < 0 || clip.alpha != 0 || !(clip.beta > 0) || m.OnlyReaderOf(node.inputs[0]) != i) continue;
      const auto shift = m.SplitScalar(m.node(add));
      const int mul = m.OnlyReaderOf(node.output, OpType::kMul);
      if (!shift || mul < 0 || OtherInput(m.node(mul), node.output) != shift->other) continue;
      const int last = m.OnlyReaderOf(m.node(mul).output);
      if (last < 0) continue;
      const bool quotient = m.node(last).op == OpType::kDiv && m.IsScalar(m.node(last).inputs[1], clip.beta);
      const auto product = m.SplitScalar(m.node(last));
      const bool times =
          m.node(last).op == OpType::kMul && product && std::fabs(product->scalar * clip.beta - 1.0f) < 1e-6f;
      if (!quotient && !times) continue;
      ScalarAttrs attrs;
      attrs.alpha = 1.0f / clip.beta;
      attrs.beta = shift->scalar / clip.beta;
      m.Replace(last, {OpType::kHardSwish, "", {shift->other}, kNoValue, attrs});
    }
  }
}

namespace {

// The node as x * scale + offset with two numbers; nothing if it is something else.
std::optional<std::pair<ValueId, ScalarAttrs>> ScalarAffineOf(const Matcher& m, const Node& node) {
  const auto split = m.SplitScalar(node);
  if (!split || m.graph().ConstantOf(split->other) != nullptr) return std::nullopt;
  const std::optional<Affine> affine = AffineOf(m.graph(), node, node.inputs[0] == split->other ? 0 : 1);
  if (!affine) return std::nullopt;
  ScalarAttrs attrs;
  if (!affine->scale.empty()) attrs.scale = static_cast<float>(affine->scale[0]);
  attrs.offset = static_cast<float>(affine->shift[0]);
  return std::pair(affine->x, attrs);
}

ScalarAttrs AttrsOfHardSwish(const Node& node) {
  const ScalarAttrs* given = std::get_if<ScalarAttrs>(&node.attrs);
  return given != nullptr ? *given : ScalarAttrs{1.0f / 6, 0.5f};  // ONNX's own has no attributes
}

}  // namespace

void FuseAffine(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    const auto affine = ScalarAffineOf(m, m.node(i));
    if (!affine) continue;
    const auto& [x, last] = *affine;
    Node joined{OpType::kAffine, "", {x}, kNoValue, last};
    const int before = m.OnlyReaderOf(x) == i ? m.ProducerOf(x) : -1;
    const bool is_after_affine = before >= 0 && m.node(before).op == OpType::kAffine;
    if (is_after_affine || (before >= 0 && m.node(before).op == OpType::kHardSwish)) {
      const Node& first = m.node(before);
      ScalarAttrs attrs = is_after_affine ? std::get<ScalarAttrs>(first.attrs) : AttrsOfHardSwish(first);
      attrs.scale *= last.scale;
      attrs.offset = attrs.offset * last.scale + last.offset;
      joined = {first.op, "", first.inputs, kNoValue, attrs};
    }
    m.Replace(i, std::move(joined));
  }
}

}  // namespace inkread
