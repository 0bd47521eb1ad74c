// Concat -> a copy of each input that its producer did not write in place.
#include "planner/ops/families.h"

namespace inkread {

Status StartConcat(const NodeContext& context, Layer&) {
  const int64_t axis = std::get<AxesAttrs>(context.node.attrs).axes[0];
  if (context.DimsOf(context.node.output).size() != 4 || (axis != 1 && axis != -3))
    return context.NotSupported("only channels can be joined");
  return Status();
}

Status LowerConcat(ScheduleBuilder& builder, const Layer& layer) {
  const Node& node = builder.NodeOf(layer);
  // The first producer that wrote in place has made the view of the whole already; without one it is made here.
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
