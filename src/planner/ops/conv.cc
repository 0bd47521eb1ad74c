// Conv -> conv or depthwise_conv; ConvTranspose -> conv_transpose.
#include "base/round.h"
#include "planner/ops/families.h"

namespace inkread {
namespace {

constexpr std::array<int64_t, 2> kNotDilated = {1, 1};

// What both operators ask of their weights, bias and window.
Status CheckOperands(const NodeContext& context) {
  if (context.ConstantInput(1) == nullptr) return context.NotSupported("weights are not constant");
  INKREAD_RETURN_IF_ERROR(CheckBias(context));
  if (std::get<WindowAttrs>(context.node.attrs).dilation != kNotDilated)
    return context.NotSupported("dilated windows have no kernel");
  return Status();
}

// A window in the terms of the params.
struct Window {
  uint32_t kh, kw, stride_h, stride_w, pad_top, pad_left;
};

Result<Window> WindowOver(const Shape& x, const WindowAttrs& attrs) {
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(attrs, 0, x.h));
  INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(attrs, 1, x.w));
  const auto word = [](int64_t value) { return static_cast<uint32_t>(value); };
  return Window{word(attrs.kernel[0]), word(attrs.kernel[1]), word(attrs.stride[0]),
                word(attrs.stride[1]), word(rows.pad_begin),  word(columns.pad_begin)};
}

Status LowerDense(ScheduleBuilder& builder, const Layer& layer, const Pixels& x, const Pixels& y, const Window& w) {
  const uint32_t panel = builder.network().caps.conv_panel, form = builder.network().caps.weights_form;
  const uint64_t columns = RoundUp(y.shape.c, panel);
  DraftStep step;
  step.step.params = ConvParams{.n = x.shape.n,
                                .ih = x.shape.h,
                                .iw = x.shape.w,
                                .ic = x.shape.c,
                                .oh = y.shape.h,
                                .ow = y.shape.w,
                                .oc = y.shape.c,
                                .kh = w.kh,
                                .kw = w.kw,
                                .stride_h = w.stride_h,
                                .stride_w = w.stride_w,
                                .pad_top = w.pad_top,
                                .pad_left = w.pad_left,
                                .x_ld = x.ld,
                                .y_ld = y.ld,
                                .panel = panel,
                                .weights_form = form};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, w.kh, w.kw, x.shape.c));
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, columns, step));
  builder.Emit(std::move(step), builder.NodeOf(layer));
  return Status();
}

Status LowerDepthwise(ScheduleBuilder& builder, const Layer& layer, const Pixels& x, const Pixels& y, const Window& w) {
  DraftStep step;
  step.step.params = DepthwiseConvParams{.n = x.shape.n,
                                         .ih = x.shape.h,
                                         .iw = x.shape.w,
                                         .c = x.shape.c,
                                         .oh = y.shape.h,
                                         .ow = y.shape.w,
                                         .kh = w.kh,
                                         .kw = w.kw,
                                         .stride_h = w.stride_h,
                                         .stride_w = w.stride_w,
                                         .pad_top = w.pad_top,
                                         .pad_left = w.pad_left,
                                         .x_ld = x.ld,
                                         .y_ld = y.ld};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], uint64_t{w.kh} * w.kw * x.shape.c);
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, x.shape.c, step));
  builder.Emit(std::move(step), builder.NodeOf(layer));
  return Status();
}

}  // namespace

Status CheckBias(const NodeContext& context) {
  const std::vector<ValueId>& inputs = context.node.inputs;
  const bool is_computed = inputs.size() > 2 && inputs[2] != kNoValue && context.ConstantInput(2) == nullptr;
  return is_computed ? context.NotSupported("its bias is not constant") : Status();
}

Status StartConv(const NodeContext& context, Layer& layer) {
  INKREAD_RETURN_IF_ERROR(CheckOperands(context));
  const Dims& weights = context.ConstantInput(1)->dims;
  const int64_t group = std::get<WindowAttrs>(context.node.attrs).group;
  if (group != 1 && (group != weights[0] || weights[1] != 1))
    return context.NotSupported("group = ", group, " with weights ", DimsToString(weights), " has no kernel");
  layer.has_bias = true;
  return Status();
}

void PackConv(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  const Tensor& weights = *context.ConstantInput(1);
  const Tensor* bias = context.ConstantInput(2);
  if (std::get<WindowAttrs>(context.node.attrs).group == 1) {
    const PanelForm form = context.panel_form();
    layer.weights = {packer.AddConv(weights, form), packer.AddBias(bias, weights.dims[0], 1, form.panel)};
  } else {
    layer.weights = {packer.AddDepthwise(weights), packer.AddBias(bias, weights.dims[0], 1, 1)};
  }
}

Status LowerConv(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const WindowAttrs& attrs = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  INKREAD_ASSIGN_OR_RETURN(const Window window, WindowOver(x.shape, attrs));
  return attrs.group == 1 ? LowerDense(builder, layer, x, y, window) : LowerDepthwise(builder, layer, x, y, window);
}

Status StartConvTranspose(const NodeContext& context, Layer& layer) {
  INKREAD_RETURN_IF_ERROR(CheckOperands(context));
  const WindowAttrs& w = std::get<WindowAttrs>(context.node.attrs);
  if (w.group != 1 || w.stride != w.kernel || w.pads != std::array<int64_t, 4>{0, 0, 0, 0} ||
      w.output_padding != std::array<int64_t, 2>{0, 0} || w.auto_pad != AutoPad::kNone)
    return context.NotSupported("only windows equal to their stride, unpadded, have a kernel");
  layer.has_bias = true;
  return Status();
}

void PackConvTranspose(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  const Tensor& weights = *context.ConstantInput(1);
  const PanelForm form = context.panel_form();
  const auto taps = static_cast<uint32_t>(weights.dims[2] * weights.dims[3]);
  layer.weights = {packer.AddConvTranspose(weights, form),
                   packer.AddBias(context.ConstantInput(2), weights.dims[1], taps, form.panel)};
}

Status LowerConvTranspose(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const WindowAttrs& window = std::get<WindowAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  const uint32_t kh = static_cast<uint32_t>(window.kernel[0]), kw = static_cast<uint32_t>(window.kernel[1]);
  const uint32_t panel = builder.network().caps.conv_panel, form = builder.network().caps.weights_form;
  const uint64_t columns = RoundUp(uint64_t{kh} * kw * y.shape.c, panel);
  DraftStep step;
  step.step.params = ConvTransposeParams{.n = x.shape.n,
                                         .ih = x.shape.h,
                                         .iw = x.shape.w,
                                         .ic = x.shape.c,
                                         .oc = y.shape.c,
                                         .kh = kh,
                                         .kw = kw,
                                         .x_ld = x.ld,
                                         .y_ld = y.ld,
                                         .panel = panel,
                                         .weights_form = form};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, 1, columns, step));
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
