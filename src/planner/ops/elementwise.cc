// Activations, Add and Mul -> elementwise.
#include "planner/ops/families.h"

namespace inkread {
namespace {

// Whether input `i` is a constant with one element a channel of x.
bool IsChannelConstant(const NodeContext& context, size_t i, ValueId x) {
  const Tensor* t = context.ConstantInput(i);
  const Dims& d = context.DimsOf(x);
  if (t == nullptr || t->is_int || t->dims.empty() || t->dims.size() > d.size()) return false;
  if (d.size() == 4) {
    return t->num_elements() == d[1] && (t->dims.size() == 3 || t->dims.size() == 4) &&
           t->dims[t->dims.size() - 3] == d[1];
  }
  return t->num_elements() == d.back() && t->dims.back() == d.back();
}

Status NoKernelFor(const NodeContext& context, const char* what) {
  const std::vector<ValueId>& inputs = context.node.inputs;
  return context.NotSupported("a ", what, " of ", DimsToString(context.DimsOf(inputs[0])), " and ",
                              DimsToString(context.DimsOf(inputs[1])), " has no kernel");
}

}  // namespace

bool IsGate(const NodeContext& context, ValueId gate, ValueId x) {
  const Dims &g = context.DimsOf(gate), &d = context.DimsOf(x);
  return context.graph.ConstantOf(gate) == nullptr && g.size() == 4 && d.size() == 4 && g[0] == d[0] && g[1] == d[1] &&
         g[2] == 1 && g[3] == 1;
}

Status StartActivation(const NodeContext& context, Layer& layer) {
  layer.activation = PlannedOpOf(context.node.op).activation;
  if (layer.activation != INKREAD_ACTIVATION_HARD_SIGMOID && layer.activation != INKREAD_ACTIVATION_HARD_SWISH &&
      layer.activation != INKREAD_ACTIVATION_CLIP && layer.activation != INKREAD_ACTIVATION_AFFINE)
    return Status();
  // ONNX's HardSwish has no attributes; one made by a fusion has.
  const ScalarAttrs* given = std::get_if<ScalarAttrs>(&context.node.attrs);
  const ScalarAttrs attrs = given != nullptr ? *given : ScalarAttrs{1.0f / 6, 0.5f, 0};
  layer.alpha = attrs.alpha;
  layer.beta = attrs.beta;
  layer.scale = attrs.scale;
  layer.offset = attrs.offset;
  return Status();
}

Status StartAdd(const NodeContext& context, Layer& layer) {
  const std::vector<ValueId>& inputs = context.node.inputs;
  if (IsChannelConstant(context, 0, inputs[1]) || IsChannelConstant(context, 1, inputs[0])) {
    layer.has_bias = true;
    return Status();
  }
  if (context.ConstantInput(0) || context.ConstantInput(1) || context.DimsOf(inputs[0]) != context.DimsOf(inputs[1]))
    return NoKernelFor(context, "sum");
  layer.residual = inputs[1];
  return Status();
}

void PackAdd(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  if (layer.has_bias) layer.weights[1] = packer.AddPlain(*context.ConstantInput(context.ConstantInput(0) ? 0 : 1));
}

Status StartMul(const NodeContext& context, Layer& layer) {
  const std::vector<ValueId>& inputs = context.node.inputs;
  for (int k = 0; k < 2; ++k) {
    if (!IsGate(context, inputs[1 - k], inputs[k])) continue;
    layer.gate = inputs[1 - k];
    return Status();
  }
  return NoKernelFor(context, "product");
}

Status LowerElementwise(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  // The operand that is neither the gate, nor the constant, nor the residual.
  ValueId x_value = node.inputs[0];
  const bool is_gate = node.op == OpType::kMul && x_value == layer.gate;
  if (is_gate || builder.graph().ConstantOf(x_value)) x_value = node.inputs[1];
  // A sum or an activation takes the elements in any order. A bias or a gate fixes which axis the channels are.
  INKREAD_ASSIGN_OR_RETURN(int axis, builder.ChannelAxisOf(x_value));
  const int rank = static_cast<int>(builder.DimsOf(x_value).size());
  if (layer.gate != kNoValue) axis = 1;
  if (layer.has_bias) axis = rank == 4 ? 1 : rank - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(x_value, axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  if (x.shape != y.shape) return builder.NotSupported(node, "a broadcast of its first operand has no kernel");
  DraftStep step;
  step.step.params = ElementwiseParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, axis, x.shape.c, step));
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
