// Reads an ONNX file into a Graph.
#ifndef INKREAD_GRAPH_IMPORT_H_
#define INKREAD_GRAPH_IMPORT_H_

#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "graph/graph.h"

namespace inkread {

// Reads the network in `file`; constants of the graph point into the file.
//
// name      the file's name, for messages
// Returns   a checked graph: one float input, one output, known operators, nodes in order, attributes in range,
//           Constant nodes turned into constants; inputs such as axes and clip limits turned into attributes
// Errors    kCorruptModel (truncated, not ONNX, inconsistent), kUnsupported (operator or attribute; names the node)
Result<Graph> ImportOnnx(std::shared_ptr<const MappedFile> file, const std::string& name);

// The same for bytes that `owner` keeps alive.
Result<Graph> ImportOnnxBytes(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner,
                              const std::string& name);

}  // namespace inkread

#endif  // INKREAD_GRAPH_IMPORT_H_
