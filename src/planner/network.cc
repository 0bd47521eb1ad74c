#include "planner/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/passes.h"
#include "graph/shapes.h"
#include "planner/fuse/fuse.h"
#include "planner/pack.h"

namespace inkread {
namespace {

bool IsActivation(OpType op) {
  return op == OpType::kRelu || op == OpType::kGelu || op == OpType::kHardSigmoid || op == OpType::kHardSwish ||
         op == OpType::kSigmoid || op == OpType::kSwish || op == OpType::kClip;
}

void SetActivation(const Node& node, Layer& layer) {
  switch (node.op) {
    case OpType::kRelu:
      layer.activation = INKREAD_ACTIVATION_RELU;
      return;
    case OpType::kGelu:
      layer.activation = INKREAD_ACTIVATION_GELU;
      return;
    case OpType::kSigmoid:
      layer.activation = INKREAD_ACTIVATION_SIGMOID;
      return;
    case OpType::kSwish:
      layer.activation = INKREAD_ACTIVATION_SWISH;
      return;
    case OpType::kHardSigmoid:
      layer.activation = INKREAD_ACTIVATION_HARD_SIGMOID;
      break;
    case OpType::kHardSwish:
      layer.activation = INKREAD_ACTIVATION_HARD_SWISH;
      break;
    case OpType::kClip:
      layer.activation = INKREAD_ACTIVATION_CLIP;
      break;
    default:
      INKREAD_CHECK(false);
  }
  // ONNX's HardSwish has no attributes; one made by a fusion has.
  const ScalarAttrs* given = std::get_if<ScalarAttrs>(&node.attrs);
  const ScalarAttrs attrs = given != nullptr ? *given : ScalarAttrs{1.0f / 6, 0.5f, 0};
  layer.alpha = attrs.alpha;
  layer.beta = attrs.beta;
}

// Whether the step of this node has an epilogue.
bool HasEpilogue(OpType op) {
  return op == OpType::kConv || op == OpType::kConvTranspose || op == OpType::kMatMul || op == OpType::kAdd ||
         op == OpType::kMul || op == OpType::kResize || IsActivation(op);
}

PanelForm PanelFormOf(const DeviceCaps& caps) { return {caps.conv_panel, caps.weights_form}; }

class Preparer {
 public:
  Preparer(Graph graph, const DeviceCaps& caps) : network_(std::make_shared<Network>()) {
    network_->graph = std::move(graph);
    network_->caps = caps;
  }

  Result<std::shared_ptr<const Network>> Run() {
    INKREAD_RETURN_IF_ERROR(Simplify(graph()));
    INKREAD_RETURN_IF_ERROR(Probe());  // weights and biases fit their nodes: fusions rely on it
    FuseAll(graph());
    INKREAD_RETURN_IF_ERROR(Probe());
    INKREAD_RETURN_IF_ERROR(FindLayers());
    PlaceConcats();
    FindCtcLayer();
    for (Layer& layer : network_->layers) INKREAD_RETURN_IF_ERROR(AddWeights(layer));
    INKREAD_ASSIGN_OR_RETURN(network_->weights, packer_.Pack(kArenaSlackBytes));
    network_->weights_bytes = packer_.size_bytes();
    DropFloats();
    return std::shared_ptr<const Network>(network_);
  }

 private:
  Graph& graph() { return network_->graph; }

  template <typename... Args>
  Status NodeError(const Node& node, const Args&... args) {
    return Unsupported(graph().file, ": node '", node.name, "' (", OpTypeName(node.op), "): ", args...);
  }

  // Shapes at one size, to tell apart what only shapes can: a sum of equals from a broadcast, integers from floats.
  Status Probe() {
    Dims dims = graph().input_dims;
    if (dims.size() != 4)
      return Unsupported(graph().file, ": input is ", DimsToString(dims), ", expected four dimensions");
    constexpr int64_t kProbe[4] = {2, 3, 64, 96};
    for (int i = 0; i < 4; ++i) {
      if (dims[i] <= 0) dims[i] = kProbe[i];
    }
    INKREAD_ASSIGN_OR_RETURN(shapes_, InferShapes(graph(), dims));
    readers_.assign(graph().values.size(), {});
    producer_.assign(graph().values.size(), -1);
    for (size_t i = 0; i < graph().nodes.size(); ++i) {
      producer_[graph().nodes[i].output] = static_cast<int>(i);
      for (ValueId v : graph().nodes[i].inputs) {
        if (v != kNoValue) readers_[v].push_back(static_cast<int>(i));
      }
    }
    return Status();
  }

  bool IsInteger(ValueId v) const { return shapes_[v].ints.has_value(); }
  const Dims& DimsOf(ValueId v) const { return shapes_[v].dims; }

  // One value a channel and image: [n, c, 1, 1] beside [n, c, h, w].
  bool IsGateFor(ValueId gate, ValueId x) {
    const Dims &g = DimsOf(gate), &d = DimsOf(x);
    return graph().ConstantOf(gate) == nullptr && g.size() == 4 && d.size() == 4 && g[0] == d[0] && g[1] == d[1] &&
           g[2] == 1 && g[3] == 1;
  }
  // A constant that has one element a channel of x.
  bool IsChannelConstant(ValueId constant, ValueId x) {
    const Tensor* t = graph().ConstantOf(constant);
    const Dims& d = DimsOf(x);
    if (t == nullptr || t->is_int || t->dims.empty() || t->dims.size() > d.size()) return false;
    if (d.size() == 4) {
      return t->num_elements() == d[1] && (t->dims.size() == 3 || t->dims.size() == 4) &&
             t->dims[t->dims.size() - 3] == d[1];
    }
    return t->num_elements() == d.back() && t->dims.back() == d.back();
  }

  static ValueId Other(const Node& node, ValueId one) {
    return node.inputs[0] == one ? node.inputs[1] : node.inputs[0];
  }

  // Whether node `i`, which reads `v`, should leave the sum to the other operand's layer: the later of two producers
  // takes it, so that only the earlier one's result is stored before.
  bool OtherTakesSum(ValueId v, ValueId other) {
    const int p = producer_[other];
    return p > producer_[v] && HasEpilogue(graph().nodes[p].op) && readers_[other].size() == 1 &&
           other != graph().output;
  }

  // Takes the nodes behind `layer` that its epilogue can do. Returns the last node taken.
  int ExtendEpilogue(Layer& layer, int last) {
    int stage = layer.residual != kNoValue ? 3 : layer.gate != kNoValue ? 2 : layer.activation != 0 ? 1 : 0;
    while (layer.output != graph().output && readers_[layer.output].size() == 1) {
      const int i = readers_[layer.output][0];
      const Node& next = graph().nodes[i];
      if (IsActivation(next.op) && stage < 1) {
        SetActivation(next, layer);
        stage = 1;
      } else if (next.op == OpType::kMul && stage < 2 && graph().nodes[layer.node].op != OpType::kMatMul &&
                 IsGateFor(Other(next, layer.output), layer.output)) {
        layer.gate = Other(next, layer.output);
        stage = 2;
      } else if (next.op == OpType::kAdd && stage < 3) {
        const ValueId other = Other(next, layer.output);
        if (graph().ConstantOf(other) != nullptr || other == layer.output || DimsOf(other) != DimsOf(layer.output) ||
            OtherTakesSum(layer.output, other)) {
          break;
        }
        layer.residual = other;
        stage = 3;
      } else {
        break;
      }
      taken_[i] = true;
      layer.output = next.output;
      last = i;
    }
    return last;
  }

  Status FindLayers() {
    taken_.assign(graph().nodes.size(), false);
    std::vector<std::pair<int, Layer>> found;  // with the last node taken
    for (int i = 0; i < static_cast<int>(graph().nodes.size()); ++i) {
      const Node& node = graph().nodes[i];
      if (taken_[i] || IsInteger(node.output) || IsViewOp(node.op)) continue;
      Layer layer;
      layer.node = i;
      layer.output = node.output;
      INKREAD_RETURN_IF_ERROR(StartLayer(node, layer));
      const int last = HasEpilogue(node.op) ? ExtendEpilogue(layer, i) : i;
      found.emplace_back(last, layer);
    }
    // A layer stands where its last node stood: all that its epilogue reads is there by then.
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [last, layer] : found) network_->layers.push_back(layer);
    return Status();
  }

  Status CheckBias(const Node& node) {
    const bool computed = node.inputs.size() > 2 && node.inputs[2] != kNoValue && !graph().ConstantOf(node.inputs[2]);
    return computed ? NodeError(node, "its bias is not constant") : Status();
  }

  // What the node itself asks of the step, and whether there is a step for it.
  Status StartLayer(const Node& node, Layer& layer) {
    if (IsActivation(node.op)) {
      SetActivation(node, layer);
      return Status();
    }
    switch (node.op) {
      case OpType::kConv:
      case OpType::kConvTranspose: {
        const WindowAttrs& w = std::get<WindowAttrs>(node.attrs);
        const Tensor* weights = graph().ConstantOf(node.inputs[1]);
        if (weights == nullptr) return NodeError(node, "weights are not constant");
        INKREAD_RETURN_IF_ERROR(CheckBias(node));
        if (w.dilation != std::array<int64_t, 2>{1, 1}) return NodeError(node, "dilated windows have no kernel");
        if (node.op == OpType::kConv && w.group != 1 && (w.group != weights->dims[0] || weights->dims[1] != 1))
          return NodeError(node, "group = ", w.group, " with weights ", DimsToString(weights->dims), " has no kernel");
        if (node.op == OpType::kConvTranspose &&
            (w.group != 1 || w.stride != w.kernel || w.pads != std::array<int64_t, 4>{0, 0, 0, 0} ||
             w.output_padding != std::array<int64_t, 2>{0, 0} || w.auto_pad != AutoPad::kNone))
          return NodeError(node, "only windows equal to their stride, unpadded, have a kernel");
        return Status();
      }
      case OpType::kMatMul: {
        const Tensor* weights = graph().ConstantOf(node.inputs[1]);
        if (weights == nullptr || weights->dims.size() != 2)
          return NodeError(node, "a product of two computed matrices has no kernel outside attention");
        return CheckBias(node);
      }
      case OpType::kAdd: {
        for (int k = 0; k < 2; ++k) {
          if (IsChannelConstant(node.inputs[k], node.inputs[1 - k])) {
            layer.has_bias = true;
            return Status();
          }
        }
        if (graph().ConstantOf(node.inputs[0]) || graph().ConstantOf(node.inputs[1]) ||
            DimsOf(node.inputs[0]) != DimsOf(node.inputs[1]))
          return NodeError(node, "a sum of ", DimsToString(DimsOf(node.inputs[0])), " and ",
                           DimsToString(DimsOf(node.inputs[1])), " has no kernel");
        layer.residual = node.inputs[1];
        return Status();
      }
      case OpType::kMul: {
        for (int k = 0; k < 2; ++k) {
          if (IsGateFor(node.inputs[1 - k], node.inputs[k])) {
            layer.gate = node.inputs[1 - k];
            return Status();
          }
        }
        return NodeError(node, "a product of ", DimsToString(DimsOf(node.inputs[0])), " and ",
                         DimsToString(DimsOf(node.inputs[1])), " has no kernel");
      }
      case OpType::kReduceMean: {
        const AxesAttrs& a = std::get<AxesAttrs>(node.attrs);
        if (DimsOf(node.inputs[0]).size() != 4 || a.axes != std::vector<int64_t>{2, 3})
          return NodeError(node, "a mean over other axes than height and width has no kernel");
        return Status();
      }
      case OpType::kResize:
        if (!std::get<ResizeAttrs>(node.attrs).nearest_asymmetric_floor)
          return NodeError(node, "only nearest, asymmetric, floor has a kernel");
        // Scales that are not whole repeat some pixels more often than others, even where the sizes fit.
        if (node.inputs.size() < 4 || node.inputs[3] == kNoValue) {
          for (float scale : graph().ConstantOf(node.inputs[2])->floats) {
            if (scale != std::floor(scale)) return NodeError(node, "a scale of ", scale, " has no kernel");
          }
        }
        return Status();
      case OpType::kConcat: {
        const Dims& d = DimsOf(node.output);
        const int64_t axis = std::get<AxesAttrs>(node.attrs).axes[0];
        if (d.size() != 4 || (axis != 1 && axis != -3)) return NodeError(node, "only channels can be joined");
        return Status();
      }
      case OpType::kSoftmax: {
        const int64_t axis = std::get<AxesAttrs>(node.attrs).axes[0];
        const int64_t rank = static_cast<int64_t>(DimsOf(node.output).size());
        if (axis != -1 && axis != rank - 1) return NodeError(node, "only the last axis has a kernel");
        return Status();
      }
      case OpType::kMaxPool:
      case OpType::kAveragePool:
        if (std::get<WindowAttrs>(node.attrs).dilation != std::array<int64_t, 2>{1, 1})
          return NodeError(node, "dilated windows have no kernel");
        return Status();
      case OpType::kGlobalAveragePool:
      case OpType::kSqueezeExcite:
      case OpType::kLayerNorm:
      case OpType::kAttention:
        return Status();
      default:
        return NodeError(node, "no step kind computes it");
    }
  }

  // Lets producers write into the result of the Concat that reads them.
  void PlaceConcats() {
    network_->placements.assign(graph().values.size(), std::nullopt);
    std::vector<bool> is_layer_output(graph().values.size(), false);
    for (const Layer& layer : network_->layers) {
      const OpType op = graph().nodes[layer.node].op;
      is_layer_output[layer.output] = HasEpilogue(op) || op == OpType::kMaxPool || op == OpType::kAveragePool;
    }
    for (const Layer& layer : network_->layers) {
      const Node& node = graph().nodes[layer.node];
      if (node.op != OpType::kConcat) continue;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId v = node.inputs[i];
        if (is_layer_output[v] && v != graph().output && !network_->placements[v])
          network_->placements[v] = Placement{node.output, static_cast<int>(i)};
      }
    }
  }

  void FindCtcLayer() {
    const int softmax = producer_[graph().output];
    if (softmax < 0 || graph().nodes[softmax].op != OpType::kSoftmax || DimsOf(graph().output).size() != 3) return;
    for (size_t l = 0; l < network_->layers.size(); ++l) {
      const Layer& layer = network_->layers[l];
      if (layer.output == graph().nodes[softmax].inputs[0] && graph().nodes[layer.node].op == OpType::kMatMul &&
          layer.activation == 0 && layer.residual == kNoValue && readers_[layer.output].size() == 1)
        network_->ctc_layer = static_cast<int>(l);
    }
  }

  // The packed form is what is used from here on, so that the file need not stay mapped. Small constants stay, since
  // shape rules read some of them (Resize's scales).
  void DropFloats() {
    constexpr size_t kSmall = 16;
    for (Value& value : graph().values) {
      if (!value.constant || value.constant->is_int) continue;
      const std::span<const float> floats = value.constant->floats;
      if (floats.size() <= kSmall) {
        value.constant = Tensor::FromFloats(value.constant->dims, {floats.begin(), floats.end()});
      } else {
        value.constant->floats = {};
        value.constant->owner.reset();
      }
    }
  }

  // A bias as long as the packed columns; zeros where the network has none.
  uint64_t AddBias(const Node& node, uint64_t columns, uint32_t repeat) {
    const uint32_t panel = network_->caps.conv_panel;
    const Tensor* bias = node.inputs.size() > 2 ? graph().ConstantOf(node.inputs[2]) : nullptr;
    if (bias != nullptr) return packer_.AddRepeated(*bias, repeat, panel);
    return packer_.AddZeros((columns * repeat + panel - 1) / panel * panel);
  }

  Status AddWeights(Layer& layer) {
    const Node& node = graph().nodes[layer.node];
    const auto constant = [&](int i) -> const Tensor& { return *graph().ConstantOf(node.inputs[i]); };
    switch (node.op) {
      case OpType::kConv: {
        layer.has_bias = true;
        const Tensor& w = constant(1);
        if (std::get<WindowAttrs>(node.attrs).group == 1) {
          layer.weights = {packer_.AddConv(w, PanelFormOf(network_->caps)), AddBias(node, w.dims[0], 1)};
        } else {
          const Tensor* bias = node.inputs.size() > 2 ? graph().ConstantOf(node.inputs[2]) : nullptr;
          layer.weights = {packer_.AddDepthwise(w), bias ? packer_.AddPlain(*bias) : packer_.AddZeros(w.dims[0])};
        }
        return Status();
      }
      case OpType::kConvTranspose: {
        layer.has_bias = true;
        const Tensor& w = constant(1);
        layer.weights = {packer_.AddConvTranspose(w, PanelFormOf(network_->caps)),
                         AddBias(node, w.dims[1], static_cast<uint32_t>(w.dims[2] * w.dims[3]))};
        return Status();
      }
      case OpType::kMatMul:
        layer.has_bias = true;
        layer.weights = {packer_.AddMatMul(constant(1), PanelFormOf(network_->caps)),
                         AddBias(node, constant(1).dims[1], 1)};
        return Status();
      case OpType::kAdd:
        if (layer.has_bias) layer.weights[1] = packer_.AddPlain(constant(graph().ConstantOf(node.inputs[0]) ? 0 : 1));
        return Status();
      case OpType::kSqueezeExcite:
        layer.weights = {packer_.AddPointwiseTransposed(constant(1)), packer_.AddPlain(constant(2)),
                         packer_.AddPointwiseTransposed(constant(3)), packer_.AddPlain(constant(4))};
        return Status();
      case OpType::kLayerNorm: {
        const uint64_t c = DimsOf(node.output).back();
        layer.weights[0] = node.inputs[1] != kNoValue ? packer_.AddPlain(constant(1)) : packer_.AddOnes(c);
        layer.weights[1] = node.inputs[2] != kNoValue ? packer_.AddPlain(constant(2)) : packer_.AddZeros(c);
        return Status();
      }
      default:
        return Status();
    }
  }

  std::shared_ptr<Network> network_;
  WeightPacker packer_;
  std::vector<ValueShape> shapes_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> producer_;
  std::vector<bool> taken_;
};

}  // namespace

bool IsViewOp(OpType op) {
  switch (op) {
    case OpType::kIdentity:
    case OpType::kReshape:
    case OpType::kSqueeze:
    case OpType::kUnsqueeze:
    case OpType::kTranspose:
    case OpType::kSlice:
    case OpType::kGather:
      return true;
    default:
      return false;
  }
}

Result<std::shared_ptr<const Network>> PrepareNetwork(Graph graph, const DeviceCaps& caps) {
  return Preparer(std::move(graph), caps).Run();
}

}  // namespace inkread
