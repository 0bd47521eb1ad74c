// conv_a(x) + conv_b(x), both with centred odd windows and stride 1: one conv whose window holds the sum of both.
#include <algorithm>
#include <vector>

#include "planner/fuse/fuse.h"
#include "planner/fuse/match.h"

namespace inkread {
namespace {

// Stride 1, one group, odd window padded by its half on each side, constant weights and bias.
bool IsCentred(const Graph& g, const Node& node) {
  const WindowAttrs& w = std::get<WindowAttrs>(node.attrs);
  const int64_t ph = w.kernel[0] / 2, pw = w.kernel[1] / 2;
  return w.kernel[0] % 2 == 1 && w.kernel[1] % 2 == 1 && w.auto_pad == AutoPad::kNone && w.group == 1 &&
         w.stride == std::array<int64_t, 2>{1, 1} && w.dilation == std::array<int64_t, 2>{1, 1} &&
         w.pads == std::array<int64_t, 4>{ph, pw, ph, pw} && node.inputs.size() == 3 && g.ConstantOf(node.inputs[1]) &&
         g.ConstantOf(node.inputs[2]);
}

void AddCentred(std::vector<float>& sum, int64_t kh, int64_t kw, const Tensor& weights) {
  const int64_t planes = weights.dims[0] * weights.dims[1], h = weights.dims[2], w = weights.dims[3];
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x)
        sum[(p * kh + y + (kh - h) / 2) * kw + x + (kw - w) / 2] += weights.floats[(p * h + y) * w + x];
}

}  // namespace

void FuseParallelConvs(Graph& graph) {
  Matcher m(graph);
  for (int i = 0; i < m.num_nodes(); ++i) {
    if (m.node(i).op != OpType::kAdd) continue;
    const int a = m.ProducerOf(m.node(i).inputs[0], OpType::kConv),
              b = m.ProducerOf(m.node(i).inputs[1], OpType::kConv);
    if (a < 0 || b < 0 || a == b || !IsCentred(graph, m.node(a)) || !IsCentred(graph, m.node(b))) continue;
    if (m.node(a).inputs[0] != m.node(b).inputs[0]) continue;
    if (m.OnlyReaderOf(m.node(a).output) != i || m.OnlyReaderOf(m.node(b).output) != i) continue;
    const Tensor &wa = *graph.ConstantOf(m.node(a).inputs[1]), &wb = *graph.ConstantOf(m.node(b).inputs[1]);
    if (wa.dims[0] != wb.dims[0] || wa.dims[1] != wb.dims[1]) continue;
    const int64_t kh = std::max(wa.dims[2], wb.dims[2]), kw = std::max(wa.dims[3], wb.dims[3]);
    // The merged window must not cost more products than the two did: a 1x7 and a 7x1 stay apart.
    if (kh * kw > wa.dims[2] * wa.dims[3] + wb.dims[2] * wb.dims[3]) continue;

    const Dims merged = {wa.dims[0], wa.dims[1], kh, kw};
    std::vector<float> weights(wa.dims[0] * wa.dims[1] * kh * kw, 0.0f);
    AddCentred(weights, kh, kw, wa);
    AddCentred(weights, kh, kw, wb);
    const Tensor &ba = *graph.ConstantOf(m.node(a).inputs[2]), &bb = *graph.ConstantOf(m.node(b).inputs[2]);
    std::vector<float> bias(ba.floats.begin(), ba.floats.end());
    for (size_t o = 0; o < bias.size(); ++o) bias[o] += bb.floats[o];

    WindowAttrs window = std::get<WindowAttrs>(m.node(a).attrs);
    window.kernel = {kh, kw};
    window.pads = {kh / 2, kw / 2, kh / 2, kw / 2};
    // AddValue moves the values, so that wa, wb, ba and bb are not valid from here on.
    const ValueId w = graph.AddValue(m.node(i).name + ".weight"), c = graph.AddValue(m.node(i).name + ".bias");
    graph.values[w].constant = Tensor::FromFloats(merged, std::move(weights));
    graph.values[c].constant = Tensor::FromFloats({merged[0]}, std::move(bias));
    m.Replace(i, {OpType::kConv, "", {m.node(a).inputs[0], w, c}, kNoValue, window});
  }
}

}  // namespace inkread
