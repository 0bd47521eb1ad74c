// Conv -> conv or depthwise_conv; ConvTranspose -> conv_transpose.
#include "base/round.h"
#include "planner/lower/lower.h"

namespace inkread {
Status LowerConv(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const WindowAttrs& window = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(window, 0, x.shape.h));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(window, 1, x.shape.w));

  const uint32_t kh = static_cast<uint32_t>(window.kernel[0]), kw = static_cast<uint32_t>(window.kernel[1]);
  const uint32_t stride_h = static_cast<uint32_t>(window.stride[0]), stride_w = static_cast<uint32_t>(window.stride[1]);
  const uint32_t pad_top = static_cast<uint32_t>(rows.pad_begin), pad_left = static_cast<uint32_t>(columns.pad_begin);
  ScheduleBuilder::PendingStep step;
  step.Read(0, x);
  step.Write(0, y);
  const uint64_t taps = uint64_t{kh} * kw;
  if (window.group == 1) {
    const uint32_t panel = builder.network().caps.conv_panel, form = builder.network().caps.weights_form;
    step.step.params = ConvParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, y.shape.h, y.shape.w, y.shape.c, kh,  kw,
                                  stride_h,  stride_w,  pad_top,   pad_left,  x.ld,      y.ld,      panel,     form};
    const uint64_t columns_packed = RoundUp(y.shape.c, panel);
    step.Weights(0, layer.weights[0], PackedWeightWords(form, columns_packed, kh, kw, x.shape.c));
    INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, columns_packed, step));
    builder.Emit(std::move(step), node, y.shape.num_pixels() * y.shape.c * taps * x.shape.c);
  } else {
    step.step.params = DepthwiseConvParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, y.shape.h, y.shape.w, kh,
                                           kw,        stride_h,  stride_w,  pad_top,   pad_left,  x.ld,      y.ld};
    step.Weights(0, layer.weights[0], taps * x.shape.c);
    INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, x.shape.c, step));
    builder.Emit(std::move(step), node, y.shape.num_pixels() * y.shape.c * taps);
  }
  return Status();
}

Status LowerConvTranspose(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.graph().nodes[layer.node];
  const WindowAttrs& window = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  const uint32_t kh = static_cast<uint32_t>(window.kernel[0]), kw = static_cast<uint32_t>(window.kernel[1]);
  const uint32_t panel = builder.network().caps.conv_panel, form = builder.network().caps.weights_form;
  const uint64_t columns = RoundUp(uint64_t{kh} * kw * y.shape.c, panel);
  ScheduleBuilder::PendingStep step;
  step.step.params =
      ConvTransposeParams{x.shape.n, x.shape.h, x.shape.w, x.shape.c, y.shape.c, kh, kw, x.ld, y.ld, panel, form};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, columns, step));
  builder.Emit(std::move(step), node, y.shape.num_pixels() * y.shape.c * x.shape.c);
  return Status();
}

}  // namespace inkread
