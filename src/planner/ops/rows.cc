// LayerNorm -> layer_norm; Softmax -> softmax: operators over the last axis.
#include "planner/ops/families.h"

namespace inkread {

void PackLayerNorm(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  const uint64_t c = context.DimsOf(context.node.output).back();
  const Tensor *scale = context.ConstantInput(1), *shift = context.ConstantInput(2);
  layer.weights[0] = scale != nullptr ? packer.AddPlain(*scale) : packer.AddOnes(c);
  layer.weights[1] = shift != nullptr ? packer.AddPlain(*shift) : packer.AddZeros(c);
}

Status LowerLayerNorm(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels());
  DraftStep step;
  step.step.params = LayerNormParams{rows, x.shape.c, x.ld, y.ld, std::get<ScalarAttrs>(node.attrs).alpha};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], x.shape.c);
  step.Weights(1, layer.weights[1], x.shape.c);
  builder.Emit(std::move(step), node);
  return Status();
}

Status StartSoftmax(const NodeContext& context, Layer&) {
  const int64_t axis = std::get<AxesAttrs>(context.node.attrs).axes[0];
  const int64_t rank = static_cast<int64_t>(context.DimsOf(context.node.output).size());
  if (axis != -1 && axis != rank - 1) return context.NotSupported("only the last axis has a kernel");
  return Status();
}

Status LowerSoftmax(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  DraftStep step;
  step.step.params = SoftmaxParams{static_cast<uint32_t>(x.shape.num_pixels()), x.shape.c, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
