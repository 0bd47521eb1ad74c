// Resize -> resize.
#include <cmath>

#include "planner/ops/families.h"

namespace inkread {

Status StartResize(const NodeContext& context, Layer&) {
  const Node& node = context.node;
  if (!std::get<ResizeAttrs>(node.attrs).nearest_asymmetric_floor)
    return context.NotSupported("only nearest, asymmetric, floor has a kernel");
  const bool has_sizes = node.inputs.size() >= 4 && node.inputs[3] != kNoValue;
  if (has_sizes) return Status();
  // Scales that are not whole repeat some pixels more often than others, even where the sizes fit.
  for (float scale : context.ConstantInput(2)->floats) {
    if (scale != std::floor(scale)) return context.NotSupported("a scale of ", scale, " has no kernel");
  }
  return Status();
}

Status LowerResize(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  if (x.shape.h == 0 || x.shape.w == 0 || y.shape.c != x.shape.c || y.shape.n != x.shape.n ||
      y.shape.h % x.shape.h != 0 || y.shape.w % x.shape.w != 0)
    return builder.NotSupported(node, "only whole enlargements of height and width have a kernel");
  DraftStep step;
  step.step.params = ResizeParams{
      x.shape.n, x.shape.h, x.shape.w, x.shape.c, y.shape.h / x.shape.h, y.shape.w / x.shape.w, x.ld, y.ld};
  step.Read(0, x);
  step.Write(0, y);
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, x.shape.c, step));
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
