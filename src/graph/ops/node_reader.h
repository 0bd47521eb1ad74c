// Reads one node of a file: attributes by name, checked against a range, and constant inputs that act as attributes.
#ifndef INKREAD_GRAPH_OPS_NODE_READER_H_
#define INKREAD_GRAPH_OPS_NODE_READER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "onnx/model.h"

namespace inkread {

// The first error is returned by Finish(); after it every getter returns its default.
class NodeReader {
 public:
  NodeReader(const onnx::Node& file_node, const Graph& graph, Node& node, int64_t opset);

  int64_t opset() const { return opset_; }

  bool HasAttr(std::string_view name) const { return FindAttr(name) != nullptr; }
  int64_t Int(std::string_view name, int64_t default_value, int64_t min, int64_t max);
  bool Flag(std::string_view name, bool default_value) { return Int(name, default_value ? 1 : 0, 0, 1) != 0; }
  float Float(std::string_view name, float default_value);
  std::string_view String(std::string_view name, std::string_view default_value);
  std::vector<int64_t> Ints(std::string_view name);  // empty if missing
  // Reads `count` integers in [min, max] into `values`, which stay unchanged if the attribute is missing.
  void Ints(std::string_view name, std::span<int64_t> values, int64_t min, int64_t max);
  // Allows the attribute and ignores its value.
  void Ignore(std::string_view name);

  bool HasInput(size_t i) const { return i < node_.inputs.size() && node_.inputs[i] != kNoValue; }
  const Tensor* ConstantInput(size_t i) const { return HasInput(i) ? graph_.ConstantOf(node_.inputs[i]) : nullptr; }
  // Inputs that must be constants; they return the default if the input is omitted.
  float FloatInput(size_t i, std::string_view what, float default_value);
  std::vector<int64_t> IntsInput(size_t i, std::string_view what);
  void DropInputsFrom(size_t count);

  template <typename... Args>
  void FailCorrupt(const Args&... args) {
    if (status_.ok()) status_ = CorruptModel(graph_.file, ": node '", node_.name, "': ", args...);
  }
  template <typename... Args>
  void FailUnsupported(const Args&... args) {
    if (status_.ok()) status_ = Unsupported(graph_.file, ": node '", node_.name, "': ", args...);
  }
  // The first error. An attribute that no getter read is an error too, because it may change the meaning of the node.
  Status Finish();

 private:
  const onnx::Attribute* FindAttr(std::string_view name) const;
  // Null if the attribute is missing, or has another type, which is an error.
  const onnx::Attribute* Take(std::string_view name, onnx::AttributeType type);

  const onnx::Node& file_node_;
  const Graph& graph_;
  Node& node_;
  int64_t opset_;
  std::vector<bool> taken_;
  Status status_;
};

}  // namespace inkread

#endif  // INKREAD_GRAPH_OPS_NODE_READER_H_
