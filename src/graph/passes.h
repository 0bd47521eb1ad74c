// Simplifications that are valid for every input shape. Simplify states their order.
#ifndef INKREAD_GRAPH_PASSES_H_
#define INKREAD_GRAPH_PASSES_H_

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// Runs RemoveIdentities, FoldConstants, FoldBias, FoldBatchNorm, FoldBias, GemmToMatMul, Prune. FoldBias runs twice so
// that Conv -> Add -> BatchNormalization and Conv -> BatchNormalization -> Add both become one Conv.
//
// Errors    kCorruptModel (an inconsistent constant node; an output that does not depend on the input),
//           kUnsupported (constants become too large)
Status Simplify(Graph& graph);

// Removes Identity, and Cast to the type that the value already has. (Import reads Dropout as Identity.)
void RemoveIdentities(Graph& graph);
// Evaluates nodes whose inputs are all constants (elementwise, Reshape, Transpose, Squeeze, Unsqueeze, Concat, Cast,
// Slice, Gather, Shape of a constant). A result that only reshapes a constant shares its storage.
Status FoldConstants(Graph& graph);
// Folds a BatchNormalization after a Conv or ConvTranspose into its weights and bias, also if a Squeeze of height or
// width is between them. Computed in double and rounded once. Requires that nothing else reads the Conv's result.
void FoldBatchNorm(Graph& graph);
// Turns the Add of a constant into a bias, the third input: of [1, c, 1, 1] or [c, 1, 1] after Conv or ConvTranspose,
// of [n] after a MatMul with a constant [k, n]. Requires that nothing else reads the other term of the sum. A single
// number that is broadcast (the 3 of a hard-swish) stays an Add.
void FoldBias(Graph& graph);
// Turns a Gemm with constant weights and a bias [n], [1, n] or [1] into a MatMul with bias; folds alpha, beta and the
// transposition of the weights.
void GemmToMatMul(Graph& graph);
// Removes nodes and values that the output does not need; renumbers the values.
void Prune(Graph& graph);

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_H_
