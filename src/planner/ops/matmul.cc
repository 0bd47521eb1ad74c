// MatMul by constant weights -> conv with a 1x1 window; a recogniser's last one -> ctc_head.
#include "base/round.h"
#include "planner/ops/families.h"

namespace inkread {

Status StartMatMul(const NodeContext& context, Layer& layer) {
  const Tensor* weights = context.ConstantInput(1);
  if (weights == nullptr || weights->dims.size() != 2)
    return context.NotSupported("a product of two computed matrices has no kernel outside attention");
  layer.has_bias = true;
  return CheckBias(context);
}

void PackMatMul(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  const Tensor& weights = *context.ConstantInput(1);
  const PanelForm form = context.panel_form();
  layer.weights = {packer.AddMatMul(weights, form),
                   packer.AddBias(context.ConstantInput(2), weights.dims[1], 1, form.panel)};
}

Status LowerMatMul(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const int axis = static_cast<int>(builder.DimsOf(node.inputs[0]).size()) - 1;
  if (axis < 1 || axis > 3) return builder.NotSupported(node, "only matrices of two to four dimensions have a kernel");
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], axis));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, axis));
  // All rows are one line of pixels, since a product has no height.
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels()), panel = builder.network().caps.conv_panel;
  const uint32_t form = builder.network().caps.weights_form;
  DraftStep step;
  step.step.params = ConvParams{.n = 1,
                                .ih = 1,
                                .iw = rows,
                                .ic = x.shape.c,
                                .oh = 1,
                                .ow = rows,
                                .oc = y.shape.c,
                                .kh = 1,
                                .kw = 1,
                                .stride_h = 1,
                                .stride_w = 1,
                                .pad_top = 0,
                                .pad_left = 0,
                                .x_ld = x.ld,
                                .y_ld = y.ld,
                                .panel = panel,
                                .weights_form = form};
  step.Read(0, x);
  step.Write(0, y);
  const uint64_t columns = RoundUp(y.shape.c, panel);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  INKREAD_RETURN_IF_ERROR(builder.AddEpilogue(layer, y, axis, columns, step));
  builder.Emit(std::move(step), node);
  return Status();
}

Status LowerCtcHead(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 2));
  const uint32_t rows = static_cast<uint32_t>(x.shape.num_pixels()), panel = builder.network().caps.conv_panel;
  const uint32_t form = builder.network().caps.weights_form;
  const uint32_t classes = static_cast<uint32_t>(builder.DimsOf(layer.output).back());
  DraftStep step;
  step.step.params = CtcHeadParams{rows, x.shape.c, classes, x.ld, panel, form};
  step.Read(0, x);
  step.Write(0, builder.NewOutput({x.shape.n, 1, x.shape.w, 3}));
  const uint64_t columns = RoundUp(classes, panel);
  step.Weights(0, layer.weights[0], PackedWeightWords(form, columns, 1, 1, x.shape.c));
  step.Weights(1, layer.weights[1], columns);
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
