// MatMul by constant weights -> conv with a 1x1 window; the recogniser's last one -> ctc_head.
#include "base/round.h"
#include "planner/lower/lower.h"

namespace inkread {
Status LowerMatMul(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  if (axis < 1 || axis > 3) return builder.NodeError(node, "only matrices of two to four dimensions have a kernel");
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  // All rows are one line of pixels: the product knows no height.
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels()), panel = builder.network().caps.conv_panel;
  const uint32_t form = builder.network().caps.weights_form;
  ScheduleBuilder::PendingStep step;
  step.step.params = ConvParams{1, 1, rows, x.shape.c, 1, rows, y.shape.c, 1, 1, 1, 1, 0, 0, x.ld, y.ld, panel, form};
  step.Read(0, x);
  step.Write(0, y);
  const uint64_t columns = RoundUp(y.shape.c, panel);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, axis, columns, step));
  builder.Emit(std::move(step), node, uint64_t{rows} * y.shape.c * x.shape.c);
  return Status();
}

Status LowerCtcHead(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 2));
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels()), panel = builder.network().caps.conv_panel;
  const uint32_t form = builder.network().caps.weights_form;
  const uint32_t classes = static_cast<uint32_t>(builder.DimsOf(layer.output).back());
  ScheduleBuilder::PendingStep step;
  step.step.params = CtcHeadParams{rows, x.shape.c, classes, x.ld, panel, form};
  step.Read(0, x);
  step.Write(0, builder.NewOutput({x.shape.n, 1, x.shape.w, 2}));
  const uint64_t columns = RoundUp(classes, panel);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  step.Weights(1, layer.weights[1], columns);
  builder.Emit(std::move(step), node, uint64_t{rows} * classes * x.shape.c);
  return Status();
}

}  // namespace inkread
