// Which nodes of a graph become layers, and which become the epilogues of layers before them.
#ifndef INKREAD_PLANNER_LAYERS_H_
#define INKREAD_PLANNER_LAYERS_H_

#include <vector>

#include "base/status.h"
#include "graph/shapes.h"
#include "planner/network.h"

namespace inkread {

// Sets layers, concat_slices and ctc_layer of a network whose graph is fused. Weights are not packed yet.
//
// shapes  of the network's values at one input size: they tell a sum of equals from a broadcast, integers from floats
// Errors  kUnsupported (an operator that no step kind computes; names the node)
Status FindLayers(const std::vector<ValueShape>& shapes, Network& network);

}  // namespace inkread

#endif  // INKREAD_PLANNER_LAYERS_H_
