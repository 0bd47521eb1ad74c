// Shape rules under test: a graph of one input goes in, the dims of its output come out.
#ifndef INKREAD_GRAPH_OPS_TEST_SHAPES_H_
#define INKREAD_GRAPH_OPS_TEST_SHAPES_H_

#include <string>

#include "graph/graph.h"
#include "graph/shapes.h"

namespace inkread {

// The output's dims as text, or the error's code and message.
inline std::string ShapeText(const Graph& graph) {
  const auto shapes = InferShapes(graph, graph.input_dims);
  if (!shapes.ok()) return std::string(StatusCodeName(shapes.status().code())) + " " + shapes.status().message();
  return DimsToString((*shapes)[graph.output].dims);
}

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_TEST_SHAPES_H_
