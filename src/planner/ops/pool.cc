// MaxPool, AveragePool -> pool; GlobalAveragePool, ReduceMean over height and width -> global_pool.
#include "planner/ops/families.h"

namespace inkread {

Status StartPool(const NodeContext& context, Layer&) {
  if (std::get<WindowAttrs>(context.node.attrs).dilation != std::array<int64_t, 2>{1, 1})
    return context.NotSupported("dilated windows have no kernel");
  return Status();
}

Status LowerPool(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const WindowAttrs& window = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(window, 0, x.shape.h));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(window, 1, x.shape.w));
  // Cells beyond the padding never count, but the kernel counts either all cells outside x or none.
  const auto reaches_beyond = [&](int axis, const WindowAxis& a, int64_t in) {
    return (a.out - 1) * window.stride[axis] + window.kernel[axis] > in + a.pad_begin + a.pad_end;
  };
  if (window.count_include_pad && (reaches_beyond(0, rows, x.shape.h) || reaches_beyond(1, columns, x.shape.w)))
    return builder.NotSupported(node, "counted padding that a window reaches beyond has no kernel");
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
  DraftStep step;
  step.step.params = params;
  step.Read(0, x);
  step.Write(0, y);
  builder.Emit(std::move(step), node);
  return Status();
}

Status StartReduceMean(const NodeContext& context, Layer&) {
  const AxesAttrs& a = std::get<AxesAttrs>(context.node.attrs);
  if (context.DimsOf(context.node.inputs[0]).size() != 4 || a.axes != std::vector<int64_t>{2, 3})
    return context.NotSupported("a mean over other axes than height and width has no kernel");
  return Status();
}

Status LowerGlobalPool(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  DraftStep step;
  step.step.params = GlobalPoolParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, x.ld};
  step.Read(0, x);
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));  // [n, c, 1, 1], or [n, c] without keepdims
  step.Write(0, y);
  step.Write(1, builder.NewSums({x.shape.n, x.shape.h, 1, x.shape.c}));
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
