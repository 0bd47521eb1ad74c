// Simplifications that hold for every input shape. Each takes a graph and returns it changed; order as in Simplify.
#ifndef INKREAD_GRAPH_PASSES_H_
#define INKREAD_GRAPH_PASSES_H_

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// RemoveIdentities, FoldConstants, FoldBias, FoldBatchNorm, FoldBias, GemmToMatMul, Prune. (Biases both before and
// after BatchNormalization: Conv -> Add -> BatchNormalization and Conv -> BatchNormalization -> Add both become one
// Conv.)
//
// Errors    kCorruptModel (a constant node that contradicts itself; an output that does not depend on the input),
//           kUnsupported (constants that grow out of proportion)
Status Simplify(Graph& graph);

// Identity and Cast to the type already held are bypassed. (Dropout is read from the file as Identity.)
void RemoveIdentities(Graph& graph);
// Nodes whose inputs are all constants become constants (elementwise, Reshape, Transpose, Squeeze, Unsqueeze, Concat,
// Cast, Slice, Gather, Shape of a constant). Results that only reshape a constant share its storage.
Status FoldConstants(Graph& graph);
// BatchNormalization after a Conv or ConvTranspose, or with a Squeeze of height or width between them, goes into the
// weights and bias; computed in double, rounded once. Only where nothing else reads the Conv's result.
void FoldBatchNorm(Graph& graph);
// Add of a per-channel constant ([1, c, 1, 1] or [c, 1, 1]) after Conv or ConvTranspose, or of [n] after a MatMul by a
// constant [k, n], becomes the bias, the third input. Only where nothing else reads the sum's other term. A single
// number that is broadcast (the 3 of a hard-swish) stays an Add.
void FoldBias(Graph& graph);
// Gemm with constant weights and a bias [n], [1, n] or [1] becomes MatMul with bias; alpha, beta and the weights'
// transpose are folded.
void GemmToMatMul(Graph& graph);
// Drops nodes and values that the output does not need; renumbers values.
void Prune(Graph& graph);

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_H_
