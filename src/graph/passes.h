// Simplifications that hold for every input shape. Each takes a graph and returns it changed; order as in Simplify.
#ifndef INKREAD_GRAPH_PASSES_H_
#define INKREAD_GRAPH_PASSES_H_

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// RemoveIdentities, FoldConstants, FoldBatchNorm, FoldBias, GemmToMatMul, Prune.
Status Simplify(Graph& graph);

// Identity, Cast to the type already held, and Dropout-like nodes are bypassed.
void RemoveIdentities(Graph& graph);
// Nodes whose inputs are all constants become constants (elementwise, Reshape, Transpose, Squeeze, Unsqueeze, Concat,
// Cast, Slice, Gather, Shape of a constant).
Status FoldConstants(Graph& graph);
// BatchNormalization after a Conv, or after Conv and views that keep the channel axis (Squeeze), goes into its weights
// and bias; the sum is taken in double. Only where nothing else reads the Conv's result.
void FoldBatchNorm(Graph& graph);
// Add of a per-channel constant after Conv, ConvTranspose or MatMul becomes its bias input (third input).
void FoldBias(Graph& graph);
// Gemm with constant weights becomes MatMul with bias (alpha, beta and transposes folded).
void GemmToMatMul(Graph& graph);
// Drops nodes and values that the output does not need; renumbers values.
void Prune(Graph& graph);

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_H_
