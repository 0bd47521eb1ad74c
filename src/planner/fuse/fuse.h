// Patterns of small nodes turned into the one node that a step kind computes. They hold for every input shape and run
// once a model, after graph/passes. Each leaves a pattern alone where another node reads a value in its middle.
#ifndef INKREAD_PLANNER_FUSE_FUSE_H_
#define INKREAD_PLANNER_FUSE_FUSE_H_

#include "graph/graph.h"

namespace inkread {

void FuseAll(Graph& graph);  // all of the below, in the order that they need, and Prune

void RemoveNeutral(Graph& graph);  // x + 0, x * 1 and the like become Identity
void FuseGelu(Graph& graph);   // x * 0.5 * (1 + erf(x / sqrt 2)), factors in any order; 0.5 may be in the next weights
void FuseSwish(Graph& graph);  // x * sigmoid(x)
void FuseHardSwish(Graph& graph);      // x * hard_sigmoid(x); x * clip(x + b, 0, 6) / 6
void FuseLayerNorm(Graph& graph);      // mean, deviation, variance, root, quotient, scale, shift
void FuseAttention(Graph& graph);      // softmax(q k^T) v with q or the product scaled by a constant
void FuseSqueezeExcite(Graph& graph);  // conv, relu, conv, hard sigmoid on [n, c, 1, 1]; x + x * gate
void FuseAffine(Graph& graph);         // x times or plus a number, in any order; what is left after the patterns
void FusePad(Graph& graph);            // zero padding before a window becomes the window's own
void FuseParallelConvs(Graph& graph);  // a sum of convs of one input with centred windows becomes one conv

}  // namespace inkread

#endif  // INKREAD_PLANNER_FUSE_FUSE_H_
