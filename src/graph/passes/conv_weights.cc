#include "graph/passes/conv_weights.h"

namespace inkread {

std::optional<ConvWeights> ConvWeights::Of(const Graph& graph, const Node& conv) {
  if ((conv.op != OpType::kConv && conv.op != OpType::kConvTranspose) || conv.inputs.size() < 2) return std::nullopt;
  const Tensor* weight = graph.ConstantOf(conv.inputs[1]);
  const WindowAttrs* window = std::get_if<WindowAttrs>(&conv.attrs);
  if (weight == nullptr || weight->is_int || weight->dims.size() != 4 || weight->floats.empty()) return std::nullopt;
  ConvWeights result;
  result.weight_ = *weight;
  result.group_ = window != nullptr ? window->group : 1;
  result.transposed_ = conv.op == OpType::kConvTranspose;
  result.channels_ = result.transposed_ ? weight->dims[1] * result.group_ : weight->dims[0];
  if (weight->dims[0] % result.group_ != 0) return std::nullopt;
  if (conv.inputs.size() > 2 && conv.inputs[2] != kNoValue) {
    const Tensor* bias = graph.ConstantOf(conv.inputs[2]);
    if (bias == nullptr || bias->is_int || bias->dims != Dims{result.channels_}) return std::nullopt;
    result.bias_ = *bias;
  }
  return result;
}

void ConvWeights::ScaleAndShift(Graph& graph, Node& conv, std::span<const double> scale,
                                std::span<const double> shift) const {
  if (!scale.empty()) {
    // Each row belongs to one output channel: rows [oc] for Conv, [ic, oc / group] for ConvTranspose.
    const Dims& dims = weight_.dims;
    const int64_t rows = transposed_ ? dims[0] * dims[1] : dims[0];
    const size_t row_length = weight_.floats.size() / static_cast<size_t>(rows);
    std::vector<float> scaled(weight_.floats.size());
    for (int64_t row = 0; row < rows; ++row) {
      int64_t channel = row;
      if (transposed_) {
        const int64_t ic = row / dims[1];
        channel = ic / (dims[0] / group_) * dims[1] + row % dims[1];
      }
      const size_t begin = static_cast<size_t>(row) * row_length;
      for (size_t i = begin; i < begin + row_length; ++i) {
        scaled[i] = static_cast<float>(weight_.floats[i] * scale[channel]);
      }
    }
    const ValueId id = graph.AddValue(conv.name + ".weight");
    graph.values[id].constant = Tensor::FromFloats(dims, std::move(scaled));
    conv.inputs[1] = id;
  }
  std::vector<float> bias(static_cast<size_t>(channels_));
  for (size_t c = 0; c < bias.size(); ++c) {
    const double before = bias_ ? bias_->floats[c] : 0.0;
    bias[c] = static_cast<float>(before * (scale.empty() ? 1.0 : scale[c]) + shift[c]);
  }
  const ValueId id = graph.AddValue(conv.name + ".bias");
  graph.values[id].constant = Tensor::FromFloats({channels_}, std::move(bias));
  conv.inputs.resize(3, kNoValue);
  conv.inputs[2] = id;
}

}  // namespace inkread
