#include "planner/plan.h"

#include <utility>

#include "graph/shapes.h"
#include "planner/builder.h"
#include "planner/draft/passes.h"
#include "planner/ops/families.h"

namespace inkread {
namespace {

Status CheckInput(const Network& network, const Dims& input_dims, Head head) {
  for (int64_t d : input_dims) {
    if (d < 1)
      return InvalidArgument(network.graph.file, ": input is ", DimsToString(input_dims),
                             ", expected sides of 1 and more");
  }
  if (head == Head::kCtc && network.ctc_layer < 0)
    return InvalidArgument(network.graph.file, ": not a recogniser: it does not end in MatMul and Softmax");
  return Status();
}

// Steps count elements in 32 bits.
Status CheckSizes(const Network& network, const Dims& input_dims, const std::vector<ValueShape>& shapes) {
  for (const ValueShape& shape : shapes) {
    uint64_t elements = 1;
    for (int64_t d : shape.dims) elements *= static_cast<uint64_t>(d);  // InferShapes keeps it far below 64 bits
    if (elements > UINT32_MAX)
      return InvalidArgument(network.graph.file, ": input ", DimsToString(input_dims),
                             " is too large: a tensor within would be ", DimsToString(shape.dims));
  }
  return Status();
}

}  // namespace

Result<Schedule> Plan(const Network& network, const Dims& input_dims, Head head) {
  INKREAD_RETURN_IF_ERROR(CheckInput(network, input_dims, head));
  INKREAD_ASSIGN_OR_RETURN(std::vector<ValueShape> shapes, InferShapes(network.graph, input_dims));
  INKREAD_RETURN_IF_ERROR(CheckSizes(network, input_dims, shapes));
  ScheduleBuilder builder(network, std::move(shapes));
  INKREAD_RETURN_IF_ERROR(builder.Begin(head == Head::kNetwork));
  for (size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    if (head == Head::kCtc && static_cast<int>(l) == network.ctc_layer) {
      INKREAD_RETURN_IF_ERROR(LowerCtcHead(builder, layer));
      break;  // nothing follows but the Softmax, which is part of the step
    }
    INKREAD_RETURN_IF_ERROR(PlannedOpOf(builder.NodeOf(layer).op).lower(builder, layer));
  }
  INKREAD_ASSIGN_OR_RETURN(DraftSchedule draft, builder.Finish());
  return FinishSchedule(std::move(draft), network.caps);
}

}  // namespace inkread
