// Simplifications that are valid for every input shape. Simplify states their order.
#ifndef INKREAD_GRAPH_PASSES_H_
#define INKREAD_GRAPH_PASSES_H_

#include "base/status.h"
#include "graph/graph.h"

namespace inkread {

// Runs all of the passes below. FoldAffine runs again after each that may give it a Conv to fold into, so that
// Conv -> Add -> BatchNormalization and Conv -> BatchNormalization -> Add both become one Conv.
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
// Folds Add, Sub, Mul and Div with a constant into the node before them, if nothing else reads that node's result:
// constants of [1, c, 1, 1], of [c, 1, 1] and of one number into the weights and the bias of a Conv or ConvTranspose;
// the Add of [n] into the bias of a MatMul with a constant [k, n]. What a Clip reads stays, if the constant is one
// number: it may be the 3 of a hard-swish.
void FoldAffine(Graph& graph);
// Turns a Mul or Div by a constant [1, c, 1, 1] that is left into a Conv with one weight a channel.
void ChannelScaleToConv(Graph& graph);
// Turns a Gemm with constant weights and a bias [n], [1, n] or [1] into a MatMul with bias; folds alpha, beta and the
// transposition of the weights.
void GemmToMatMul(Graph& graph);
// Removes nodes and values that the output does not need; renumbers the values.
void Prune(Graph& graph);

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_H_
