// Add, Sub, Mul and Div with a constant, as what they are: an affine function of the other input.
#ifndef INKREAD_GRAPH_PASSES_AFFINE_H_
#define INKREAD_GRAPH_PASSES_AFFINE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace inkread {

// x * scale + shift, with the numbers of a constant.
struct Affine {
  ValueId x = kNoValue;
  ValueId constant = kNoValue;
  std::vector<double> scale, shift;  // an element for each of the constant's; scale may be empty: 1
};

// Input `side` of the node, 0 or 1, as x, the other input being the constant. Nothing for another operator, a constant
// of integers, and a constant that is divided by x.
std::optional<Affine> AffineOf(const Graph& graph, const Node& node, size_t side);

}  // namespace inkread

#endif  // INKREAD_GRAPH_PASSES_AFFINE_H_
