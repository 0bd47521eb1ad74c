// Helpers for tests of shape rules: compute the output dims of a graph with one input.
#ifndef INKREAD_GRAPH_OPS_TEST_SHAPES_H_
#define INKREAD_GRAPH_OPS_TEST_SHAPES_H_

#include <string>

#include "graph/graph.h"
#include "graph/shapes.h"

namespace inkread {

// The dims of the output as text, or code and message of the error.
inline std::string ShapeText(const Graph& graph) {
  const auto shapes = InferShapes(graph, graph.input_dims);
  if (!shapes.ok()) return std::string(StatusCodeName(shapes.status().code())) + " " + shapes.status().message();
  return DimsToString((*shapes)[graph.output].dims);
}

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_TEST_SHAPES_H_
