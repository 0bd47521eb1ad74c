// Constant zero padding of height and width becomes the padding of the Conv, MaxPool or AveragePool behind it.
#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {

void FusePad(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    const OpType op = m.node(i).op;
    if (op != OpType::kConv && op != OpType::kMaxPool && op != OpType::kAveragePool) continue;
    const int pad = m.ProducerOf(m.node(i).inputs[0], OpType::kPad);
    if (pad < 0 || m.OnlyReaderOf(m.node(pad).output) != i) continue;
    const Node& p = m.node(pad);
    const Tensor* pads = p.inputs.size() > 1 ? graph.ConstantOf(p.inputs[1]) : nullptr;
    if (pads == nullptr || pads->ints.size() != 8) continue;
    if (p.inputs.size() > 2 && p.inputs[2] != kNoValue && m.ScalarOf(p.inputs[2]) != 0.0f) continue;
    const std::vector<int64_t>& b = pads->ints;  // n, c, h, w at the beginning, then the same at the end
    if (b[0] != 0 || b[1] != 0 || b[4] != 0 || b[5] != 0 || b[2] < 0 || b[3] < 0 || b[6] < 0 || b[7] < 0) continue;
    WindowAttrs w = std::get<WindowAttrs>(m.node(i).attrs);
    // A pool counts either all cells outside x or none, so it cannot have padding of both kinds.
    const bool own_padding = w.auto_pad != AutoPad::kNone || w.pads != std::array<int64_t, 4>{0, 0, 0, 0};
    if (w.auto_pad != AutoPad::kNone || w.ceil_mode || (op != OpType::kConv && own_padding)) continue;
    w.pads = {w.pads[0] + b[2], w.pads[1] + b[3], w.pads[2] + b[6], w.pads[3] + b[7]};
    if (op != OpType::kConv) w.count_include_pad = true;  // for MaxPool: the zeros take part
    Node window = m.node(i);
    window.inputs[0] = p.inputs[0];
    window.attrs = w;
    m.Replace(i, window);
  }
}

}  // namespace inkread
