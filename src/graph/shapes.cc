#include "graph/shapes.h"

#include "graph/ops/op.h"

namespace inkread {

Result<std::vector<ValueShape>> InferShapes(const Graph& graph, const Dims& input_dims) {
  // The declared dims may allow more shapes than the network supports, but not fewer.
  bool fits = graph.input != kNoValue && input_dims.size() == graph.input_dims.size();
  for (size_t i = 0; fits && i < input_dims.size(); ++i) {
    fits = input_dims[i] >= 1 && (graph.input_dims[i] < 0 || graph.input_dims[i] == input_dims[i]);
  }
  if (!fits) {
    return InvalidArgument(graph.file, ": input is ", DimsToString(input_dims), ", expected ",
                           DimsToString(graph.input_dims), " (-1: any size)");
  }
  std::vector<ValueShape> shapes(graph.values.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (graph.values[i].constant) shapes[i] = ShapeOfConstant(*graph.values[i].constant);
  }
  shapes[graph.input].dims = input_dims;
  for (const Node& node : graph.nodes) INKREAD_RETURN_IF_ERROR(InferNode(graph, node, shapes));
  return shapes;
}

}  // namespace inkread
