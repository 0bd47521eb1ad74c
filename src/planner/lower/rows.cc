// LayerNorm -> layer_norm; Softmax -> softmax: operators over the last axis.
#include "planner/lower/lower.h"

namespace inkread {

Status LowerLayerNorm(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels());
  ScheduleBuilder::PendingStep step;
  step.step.params = LayerNormParams{rows, x.shape.c, x.ld, y.ld, std::get<ScalarAttrs>(node.attrs).alpha};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], x.shape.c);
  step.Weights(1, layer.weights[1], x.shape.c);
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerSoftmax(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  ScheduleBuilder::PendingStep step;
  step.step.params = SoftmaxParams{static_cast<uint32_t>(x.shape.num_pixels()), x.shape.c, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
