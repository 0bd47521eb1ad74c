#include "graph/passes.h"

namespace inkread {

Status Simplify(Graph& graph) {
  RemoveIdentities(graph);
  INKREAD_RETURN_IF_ERROR(FoldConstants(graph));
  FoldAffine(graph);
  FoldBatchNorm(graph);
  FoldAffine(graph);
  ChannelScaleToConv(graph);
  FoldAffine(graph);
  GemmToMatMul(graph);
  Prune(graph);
  if (graph.ConstantOf(graph.output) != nullptr || graph.output == graph.input) {
    return CorruptModel(graph.file, ": the output does not depend on the input, or is the input itself");
  }
  return Status();
}

}  // namespace inkread
