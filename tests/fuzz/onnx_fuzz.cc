// Any bytes as an ONNX file: import, shapes, simplification, shapes again. None may crash or take much memory; a
// message must name the file; and simplification must not change the shape of the result.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "base/status.h"
#include "graph/import.h"
#include "graph/passes.h"
#include "graph/shapes.h"

namespace inkread {
namespace {

void CheckMessage(const Status& status) { INKREAD_CHECK(status.message().rfind("fuzz.onnx: ", 0) == 0); }

// The result's dims for the declared input with `free` wherever it is free; nothing when the network does not take it.
std::optional<Dims> OutputDims(const Graph& graph, int64_t free) {
  Dims input = graph.input_dims;
  for (int64_t& dim : input) dim = dim < 0 ? free : dim;
  const auto shapes = InferShapes(graph, input);
  if (!shapes.ok()) {
    CheckMessage(shapes.status());
    return std::nullopt;
  }
  for (const Node& node : graph.nodes) {
    for (int64_t dim : (*shapes)[node.output].dims) INKREAD_CHECK(dim >= 0);
  }
  return (*shapes)[graph.output].dims;
}

void Run(std::span<const uint8_t> bytes) {
  auto graph = ImportOnnxBytes(bytes, nullptr, "fuzz.onnx");
  if (!graph.ok()) return CheckMessage(graph.status());
  constexpr int64_t kSizes[] = {1, 48, 333};
  std::optional<Dims> before[3], after[3];
  for (int i = 0; i < 3; ++i) before[i] = OutputDims(*graph, kSizes[i]);
  if (const Status status = Simplify(*graph); !status.ok()) return CheckMessage(status);
  for (int i = 0; i < 3; ++i) after[i] = OutputDims(*graph, kSizes[i]);
  for (int i = 0; i < 3; ++i) INKREAD_CHECK(!before[i] || !after[i] || *before[i] == *after[i]);
}

}  // namespace
}  // namespace inkread

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  inkread::Run({data, size});
  return 0;
}
