// Activations, Add and Mul -> elementwise; Resize -> resize; Concat -> copies of what its producers did not write in
// place.
#include "planner/lower/lower.h"

namespace inkread {

Status LowerElementwise(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  // The operand that is neither the gate, nor the constant, nor the residual.
  ValueId x_value = node.inputs[0];
  const bool is_gate = node.op == OpType::kMul && x_value == layer.gate;
  if (is_gate || builder.graph().ConstantOf(x_value)) x_value = node.inputs[1];
  // A sum or an activation takes elements as they lie; a bias or a gate knows which axis its channels are.
  INKREAD_ASSIGN_OR_RETURN(int axis, builder.ChannelAxisOf(x_value));
  const int rank = static_cast<int>(builder.DimsOf(x_value).size());
  if (layer.gate != kNoValue) axis = 1;
  if (layer.has_bias) axis = rank == 4 ? 1 : rank - 1;
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(x_value, axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  if (x.shape != y.shape) return builder.NodeError(node, "a broadcast of its first operand has no kernel");
  ScheduleBuilder::PendingStep step;
  step.step.params = ElementwiseParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, axis, x.shape.c, step));
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerResize(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  if (x.shape.h == 0 || x.shape.w == 0 || y.shape.c != x.shape.c || y.shape.n != x.shape.n ||
      y.shape.h % x.shape.h != 0 || y.shape.w % x.shape.w != 0)
    return builder.NodeError(node, "only whole enlargements of height and width have a kernel");
  ScheduleBuilder::PendingStep step;
  step.step.params = ResizeParams{
      x.shape.n, x.shape.h, x.shape.w, x.shape.c, y.shape.h / x.shape.h, y.shape.w / x.shape.w, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, x.shape.c, step));
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerConcat(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  // Producers that were placed have made the whole's view already; otherwise this makes it.
  Result<View> whole = builder.ViewOf(layer.output);
  if (!whole.ok()) {
    INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
    whole = ViewOfPixels(y, builder.DimsOf(layer.output), 1);
  }
  int64_t channel = 0;
  for (ValueId v : node.inputs) {
    const int64_t channels = builder.DimsOf(v)[1];
    const View slice = Sliced(*whole, 1, channel, channels);
    INKREAD_ASSIGN_OR_RETURN(const View from, builder.ViewOf(v));
    const bool is_in_place = from.buffer == slice.buffer && from.offset == slice.offset;
    if (!is_in_place) builder.EmitCopy(from, slice, node.name);
    channel += channels;
  }
  return Status();
}

}  // namespace inkread
