// SqueezeExcite -> squeeze_excite.
#include "planner/ops/families.h"

namespace inkread {

void PackSqueezeExcite(const NodeContext& context, WeightPacker& packer, Layer& layer) {
  layer.weights = {packer.AddPointwiseTransposed(*context.ConstantInput(1)), packer.AddPlain(*context.ConstantInput(2)),
                   packer.AddPointwiseTransposed(*context.ConstantInput(3)),
                   packer.AddPlain(*context.ConstantInput(4))};
}

Status LowerSqueezeExcite(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  const ScalarAttrs& attrs = std::get<ScalarAttrs>(node.attrs);
  INKREAD_ASSIGN_OR_RETURN(const Pixels x, builder.Read(node.inputs[0], 1));
  INKREAD_ASSIGN_OR_RETURN(const Pixels y, builder.Write(layer.output, 1));
  const uint32_t c = x.shape.c, mid = static_cast<uint32_t>(builder.DimsOf(node.inputs[1])[0]);
  DraftStep step;
  step.step.params = SqueezeExciteParams{x.shape.n, c, mid, attrs.alpha, attrs.beta, attrs.add != 0 ? 1u : 0u};
  step.Read(0, x);
  step.Write(0, y);
  step.Weights(0, layer.weights[0], uint64_t{c} * mid);
  step.Weights(1, layer.weights[1], mid);
  step.Weights(2, layer.weights[2], uint64_t{c} * mid);
  step.Weights(3, layer.weights[3], c);
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
