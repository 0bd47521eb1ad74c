// Attention -> attention. q, k and v are usually views of one projection, which the step reads in place.
#include "planner/ops/families.h"

namespace inkread {
namespace {

// [n, heads, t, d] with the heads of a pixel side by side, as pixels of heads * d channels.
Result<Pixels> ReadHeads(ScheduleBuilder& builder, ValueId v, const Node& node) {
  INKREAD_ASSIGN_OR_RETURN(const View view, builder.ViewOf(v));
  if (view.rank != 4) return builder.NotSupported(node, "q, k and v must have four dimensions");
  const int64_t n = view.dims[0], heads = view.dims[1], t = view.dims[2], d = view.dims[3];
  const bool side_by_side = (d == 1 || view.strides[3] == 1) && (heads == 1 || view.strides[1] == d);
  const int64_t ld = t > 1 ? view.strides[2] : n > 1 ? view.strides[0] : heads * d;
  if (!side_by_side || ld < heads * d || (n > 1 && view.strides[0] != t * ld))
    return builder.NotSupported(node, "the heads of q, k and v must lie side by side");
  const Shape shape{static_cast<uint32_t>(n), 1, static_cast<uint32_t>(t), static_cast<uint32_t>(heads * d)};
  return Pixels{view.buffer, view.offset, shape, static_cast<uint32_t>(ld)};
}

}  // namespace

Status LowerAttention(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  INKREAD_ASSIGN_OR_RETURN(const Pixels q, ReadHeads(builder, node.inputs[0], node));
  INKREAD_ASSIGN_OR_RETURN(const Pixels k, ReadHeads(builder, node.inputs[1], node));
  INKREAD_ASSIGN_OR_RETURN(const Pixels v, ReadHeads(builder, node.inputs[2], node));
  if (q.shape != k.shape || q.shape != v.shape) return builder.NotSupported(node, "q, k and v differ in shape");
  const Dims& dims = builder.DimsOf(layer.output);  // [n, heads, t, d]
  if (dims[3] > 128) return builder.NotSupported(node, "heads of more than 128 channels have no kernel");

  const Pixels y = builder.NewBuffer(q.shape);
  View view;
  view.buffer = y.buffer;
  view.rank = 4;
  const int64_t ld = y.ld;
  for (int i = 0; i < 4; ++i) view.dims[i] = dims[i];
  view.strides = {dims[2] * ld, dims[3], ld, 1};
  builder.SetView(layer.output, view);

  DraftStep step;
  step.step.params = AttentionParams{.n = q.shape.n,
                                     .t = q.shape.w,
                                     .heads = static_cast<uint32_t>(dims[1]),
                                     .d = static_cast<uint32_t>(dims[3]),
                                     .q_ld = q.ld,
                                     .k_ld = k.ld,
                                     .v_ld = v.ld,
                                     .y_ld = y.ld,
                                     .scale = std::get<ScalarAttrs>(node.attrs).alpha};
  step.Read(0, q);
  step.Read(1, k);
  step.Read(2, v);
  step.Write(0, y);
  builder.Emit(std::move(step), node);
  return Status();
}

}  // namespace inkread
