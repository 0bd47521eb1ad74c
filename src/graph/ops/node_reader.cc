#include "graph/ops/node_reader.h"

#include <algorithm>

namespace inkread {

NodeReader::NodeReader(const onnx::Node& file_node, const Graph& graph, Node& node, int64_t opset)
    : file_node_(file_node), graph_(graph), node_(node), opset_(opset), taken_(file_node.attributes.size(), false) {}

const onnx::Attribute* NodeReader::FindAttr(std::string_view name) const {
  const auto found = std::find_if(file_node_.attributes.begin(), file_node_.attributes.end(),
                                  [&](const onnx::Attribute& attribute) { return attribute.name == name; });
  return found == file_node_.attributes.end() ? nullptr : &*found;
}

const onnx::Attribute* NodeReader::Take(std::string_view name, onnx::AttributeType type) {
  const onnx::Attribute* attribute = FindAttr(name);
  if (attribute == nullptr) return nullptr;
  taken_[attribute - file_node_.attributes.data()] = true;
  if (attribute->type != type) {
    FailCorrupt("attribute '", name, "' is of type ", static_cast<int>(attribute->type), ", expected ",
                static_cast<int>(type));
    return nullptr;
  }
  return attribute;
}

int64_t NodeReader::Int(std::string_view name, int64_t default_value, int64_t min, int64_t max) {
  const onnx::Attribute* attribute = Take(name, onnx::AttributeType::kInt);
  if (attribute == nullptr) return default_value;
  if (attribute->i < min || attribute->i > max) {
    FailCorrupt("attribute '", name, "' is ", attribute->i, ", expected ", min, " to ", max);
    return default_value;
  }
  return attribute->i;
}

float NodeReader::Float(std::string_view name, float default_value) {
  const onnx::Attribute* attribute = Take(name, onnx::AttributeType::kFloat);
  return attribute != nullptr ? attribute->f : default_value;
}

std::string_view NodeReader::String(std::string_view name, std::string_view default_value) {
  const onnx::Attribute* attribute = Take(name, onnx::AttributeType::kString);
  return attribute != nullptr ? attribute->s : default_value;
}

std::vector<int64_t> NodeReader::Ints(std::string_view name) {
  const onnx::Attribute* attribute = Take(name, onnx::AttributeType::kInts);
  return attribute != nullptr ? attribute->ints : std::vector<int64_t>();
}

void NodeReader::Ints(std::string_view name, std::span<int64_t> values, int64_t min, int64_t max) {
  const onnx::Attribute* attribute = Take(name, onnx::AttributeType::kInts);
  if (attribute == nullptr) return;
  const bool in_range =
      std::all_of(attribute->ints.begin(), attribute->ints.end(), [&](int64_t v) { return v >= min && v <= max; });
  if (attribute->ints.size() != values.size() || !in_range) {
    FailCorrupt("attribute '", name, "' is ", DimsToString(attribute->ints), ", expected ", values.size(),
                " numbers from ", min, " to ", max);
    return;
  }
  std::copy(attribute->ints.begin(), attribute->ints.end(), values.begin());
}

void NodeReader::Ignore(std::string_view name) {
  const onnx::Attribute* attribute = FindAttr(name);
  if (attribute != nullptr) taken_[attribute - file_node_.attributes.data()] = true;
}

float NodeReader::FloatInput(size_t i, std::string_view what, float default_value) {
  if (!HasInput(i)) return default_value;
  const Tensor* tensor = ConstantInput(i);
  if (tensor == nullptr) {
    FailUnsupported(what, " is computed by the network, expected a constant");
    return default_value;
  }
  if (tensor->is_int || tensor->floats.size() != 1) {
    FailCorrupt(what, " is ", DimsToString(tensor->dims), ", expected one float");
    return default_value;
  }
  return tensor->floats[0];
}

std::vector<int64_t> NodeReader::IntsInput(size_t i, std::string_view what) {
  if (!HasInput(i)) return {};
  const Tensor* tensor = ConstantInput(i);
  if (tensor == nullptr) {
    FailUnsupported(what, " are computed by the network, expected a constant");
    return {};
  }
  if (!tensor->is_int) {
    FailCorrupt(what, " are floats, expected integers");
    return {};
  }
  return tensor->ints;
}

void NodeReader::DropInputsFrom(size_t count) {
  if (node_.inputs.size() > count) node_.inputs.resize(count);
}

Status NodeReader::Finish() {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) FailUnsupported("attribute '", file_node_.attributes[i].name, "' is not supported");
  }
  return status_;
}

}  // namespace inkread
