// Conv 1x1, Relu, Conv 1x1, HardSigmoid on channel means -> SqueezeExcite; x + x * gate takes the 1 into the gate.
#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {
namespace {

// A plain 1x1 Conv with bias.
bool IsPointwise(const Graph& g, const Node& node) {
  const WindowAttrs& w = std::get<WindowAttrs>(node.attrs);
  const bool plain = w.kernel == std::array<int64_t, 2>{1, 1} && w.stride == std::array<int64_t, 2>{1, 1} &&
                     w.pads == std::array<int64_t, 4>{0, 0, 0, 0} && w.group == 1;
  return plain && node.inputs.size() == 3 && g.ConstantOf(node.inputs[1]) && g.ConstantOf(node.inputs[2]);
}

bool IsGlobalMean(const Matcher& m, const Graph& g, ValueId v) {
  if (m.ProducerOf(v, OpType::kGlobalAveragePool) >= 0) return true;
  const int mean = m.ProducerOf(v, OpType::kReduceMean);
  if (mean < 0) return false;
  const AxesAttrs& a = std::get<AxesAttrs>(g.nodes[mean].attrs);
  return a.keepdims && a.axes == std::vector<int64_t>{2, 3};
}

}  // namespace

void FuseSqueezeExcite(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kHardSigmoid) continue;
    const int conv2 = m.ProducerOf(m.node(i).inputs[0], OpType::kConv);
    if (conv2 < 0 || !IsPointwise(graph, m.node(conv2)) || m.OnlyReaderOf(m.node(conv2).output) != i) continue;
    const int relu = m.ProducerOf(m.node(conv2).inputs[0], OpType::kRelu);
    if (relu < 0 || m.OnlyReaderOf(m.node(relu).output) != conv2) continue;
    const int conv1 = m.ProducerOf(m.node(relu).inputs[0], OpType::kConv);
    if (conv1 < 0 || !IsPointwise(graph, m.node(conv1)) || m.OnlyReaderOf(m.node(conv1).output) != relu) continue;
    const ValueId means = m.node(conv1).inputs[0];
    if (!IsGlobalMean(m, graph, means) || graph.ConstantOf(m.node(conv1).inputs[1])->dims[0] > 1024) continue;
    ScalarAttrs attrs = std::get<ScalarAttrs>(m.node(i).attrs);

    // x + x * gate = x * (1 + gate), where nothing else reads the product or the gate.
    const ValueId gate = m.node(i).output;
    const int mul = m.OnlyReaderOf(gate, OpType::kMul);
    if (mul >= 0) {
      const ValueId x = m.node(mul).inputs[0] == gate ? m.node(mul).inputs[1] : m.node(mul).inputs[0];
      const int add = m.OnlyReaderOf(m.node(mul).output, OpType::kAdd);
      const ValueId product = m.node(mul).output;
      if (add >= 0 && (m.node(add).inputs[0] == product ? m.node(add).inputs[1] : m.node(add).inputs[0]) == x) {
        attrs.add = 1;
        m.Replace(add, {OpType::kMul, "", {x, gate}, kNoValue, {}});
      }
    }
    const Node& c1 = m.node(conv1);
    const Node& c2 = m.node(conv2);
    m.Replace(
        i,
        {OpType::kSqueezeExcite, "", {means, c1.inputs[1], c1.inputs[2], c2.inputs[1], c2.inputs[2]}, kNoValue, attrs});
  }
}

}  // namespace inkread
