// A file's tensor -> a graph's constant.
#ifndef INKREAD_GRAPH_IMPORT_CONSTANTS_H_
#define INKREAD_GRAPH_IMPORT_CONSTANTS_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "graph/graph.h"
#include "onnx/model.h"

namespace inkread {

// Floats that lie aligned in the file stay there; others are copied. Integers of 32 bits are widened.
//
// owner     keeps the file's bytes alive
// what      for messages: file and tensor
// Errors    kCorruptModel (dims and number of elements differ), kUnsupported (data type, data in another file)
Result<Tensor> ImportTensor(const onnx::Tensor& tensor, const std::shared_ptr<const void>& owner,
                            const std::string& what);

// What a Constant node holds: its one attribute.
Result<Tensor> ImportConstantNode(const onnx::Node& node, const std::shared_ptr<const void>& owner,
                                  const std::string& what);

}  // namespace inkread

#endif  // INKREAD_GRAPH_IMPORT_CONSTANTS_H_
