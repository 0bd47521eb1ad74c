// Turns a tensor of a file into a constant of a graph.
#ifndef INKREAD_GRAPH_IMPORT_CONSTANTS_H_
#define INKREAD_GRAPH_IMPORT_CONSTANTS_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "graph/graph.h"
#include "onnx/model.h"

namespace inkread {

// Aligned floats stay in the file, others are copied. Integers of 32 bits are widened to 64.
//
// owner     keeps the bytes of the file alive
// what      file and tensor, for messages
// Errors    kCorruptModel (dims and number of elements differ), kUnsupported (data type, data in another file)
Result<Tensor> ImportTensor(const onnx::Tensor& tensor, const std::shared_ptr<const void>& owner,
                            const std::string& what);

// The constant of a Constant node, from its only attribute.
Result<Tensor> ImportConstantNode(const onnx::Node& node, const std::shared_ptr<const void>& owner,
                                  const std::string& what);

}  // namespace inkread

#endif  // INKREAD_GRAPH_IMPORT_CONSTANTS_H_
