#include "planner/plan.h"

#include "graph/shapes.h"
#include "planner/builder.h"
#include "planner/lower/lower.h"

namespace inkread {

Status LowerLayer(ScheduleBuilder& builder, const Layer& layer) {
  switch (builder.graph().nodes[layer.node].op) {
    case OpType::kConv:
      return LowerConv(builder, layer);
    case OpType::kConvTranspose:
      return LowerConvTranspose(builder, layer);
    case OpType::kMatMul:
      return LowerMatMul(builder, layer);
    case OpType::kMaxPool:
    case OpType::kAveragePool:
      return LowerPool(builder, layer);
    case OpType::kGlobalAveragePool:
    case OpType::kReduceMean:
      return LowerGlobalPool(builder, layer);
    case OpType::kSqueezeExcite:
      return LowerSqueezeExcite(builder, layer);
    case OpType::kResize:
      return LowerResize(builder, layer);
    case OpType::kConcat:
      return LowerConcat(builder, layer);
    case OpType::kLayerNorm:
      return LowerLayerNorm(builder, layer);
    case OpType::kSoftmax:
      return LowerSoftmax(builder, layer);
    case OpType::kAttention:
      return LowerAttention(builder, layer);
    default:
      return LowerElementwise(builder, layer);  // PrepareNetwork let only activations, Add and Mul through
  }
}

Result<Schedule> Plan(const Network& network, const Dims& input_dims, Head head) {
  for (int64_t d : input_dims) {
    if (d < 1)
      return InvalidArgument(network.graph.file, ": input is ", DimsToString(input_dims),
                             ", expected sides of 1 and more");
  }
  if (head == Head::kCtc && network.ctc_layer < 0)
    return InvalidArgument(network.graph.file, ": not a recogniser: it does not end in MatMul and Softmax");
  INKREAD_ASSIGN_OR_RETURN(std::vector<ValueShape> shapes, InferShapes(network.graph, input_dims));
  // Steps count words in 32 bits.
  for (const ValueShape& shape : shapes) {
    uint64_t elements = 1;
    for (int64_t d : shape.dims) elements *= static_cast<uint64_t>(d);  // InferShapes keeps it far below 64 bits
    if (elements > UINT32_MAX)
      return InvalidArgument(network.graph.file, ": input ", DimsToString(input_dims),
                             " is too large: a tensor within would be ", DimsToString(shape.dims));
  }
  ScheduleBuilder builder(network, std::move(shapes));
  INKREAD_RETURN_IF_ERROR(builder.Begin(head == Head::kNetwork));
  for (size_t l = 0; l < network.layers.size(); ++l) {
    if (head == Head::kCtc && static_cast<int>(l) == network.ctc_layer) {
      INKREAD_RETURN_IF_ERROR(LowerCtcHead(builder, network.layers[l]));
      break;  // the Softmax behind it is all that follows
    }
    INKREAD_RETURN_IF_ERROR(LowerLayer(builder, network.layers[l]));
  }
  return builder.Finish();
}

}  // namespace inkread
