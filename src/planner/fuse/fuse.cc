#include "planner/fuse/fuse.h"

#include "graph/passes.h"

namespace inkread {

void FuseAll(Graph& graph) {
  RemoveNeutral(graph);
  RemoveIdentities(graph);
  FusePad(graph);
  FuseGelu(graph);
  FuseSwish(graph);
  FuseSqueezeExcite(graph);
  FuseHardSwish(graph);
  FuseLayerNorm(graph);
  FuseAttention(graph);
  Prune(graph);
  FuseAffine(graph);
  Prune(graph);
  FuseParallelConvs(graph);
  Prune(graph);
}

}  // namespace inkread
