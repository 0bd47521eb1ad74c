// MaxPool, AveragePool -> pool; GlobalAveragePool, ReduceMean over height and width -> global_pool; SqueezeExcite.
#include "planner/lower/lower.h"

namespace inkread {

Status LowerPool(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const WindowAttrs& window = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(window, 0, x.shape.h));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(window, 1, x.shape.w));
  // What lies beyond the padding never counts; the kernel knows only cells that all count, or none.
  const auto reaches_beyond = [&](int axis, const WindowAxis& a, int64_t in) {
    return (a.out - 1) * window.stride[axis] + window.kernel[axis] > in + a.pad_begin + a.pad_end;
  };
  if (window.count_include_pad && (reaches_beyond(0, rows, x.shape.h) || reaches_beyond(1, columns, x.shape.w)))
    return builder.NodeError(node, "counted padding that a window reaches beyond has no kernel");
  PoolParams params{};
  params.mode = node.op == OpType::kMaxPool ? INKREAD_POOL_MAX : INKREAD_POOL_AVERAGE;
  params.n = x.shape.n;
  params.ih = x.shape.h;
  params.iw = x.shape.w;
  params.c = x.shape.c;
  params.oh = y.shape.h;
  params.ow = y.shape.w;
  params.kh = static_cast<uint32_t>(window.kernel[0]);
  params.kw = static_cast<uint32_t>(window.kernel[1]);
  params.stride_h = static_cast<uint32_t>(window.stride[0]);
  params.stride_w = static_cast<uint32_t>(window.stride[1]);
  params.pad_top = static_cast<uint32_t>(rows.pad_begin);
  params.pad_left = static_cast<uint32_t>(columns.pad_begin);
  params.count_padding = window.count_include_pad ? 1 : 0;
  params.x_ld = x.ld;
  params.y_ld = y.ld;
  ScheduleBuilder::PendingStep step;
  step.step.params = params;
  step.Read(0, x);
  step.Write(0, y);
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerGlobalPool(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  ScheduleBuilder::PendingStep step;
  step.step.params = GlobalPoolParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, x.ld};
  step.Read(0, x);
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));  // [n, c, 1, 1], or [n, c] without keepdims
  step.Write(0, y);
  step.Write(1, builder.NewSums({x.shape.n, x.shape.h, 1, x.shape.c}));
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerSqueezeExcite(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const ScalarAttrs& attrs = std::get<ScalarAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  const uint32_t c = x.shape.c, mid = static_cast<uint32_t>(builder.DimsOf(node.inputs[1])[0]);
  ScheduleBuilder::PendingStep step;
  step.step.params = SqueezeExciteParams{x.shape.n, c, mid, attrs.alpha, attrs.beta, attrs.add != 0 ? 1u : 0u};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], uint64_t{c} * mid);
  step.Weights(1, layer.weights[1], mid);
  step.Weights(2, layer.weights[2], uint64_t{c} * mid);
  step.Weights(3, layer.weights[3], c);
  builder.Emit(std::move(step), node, uint64_t{2} * x.shape.n * c * mid);
  return Status();
}

}  // namespace inkread
