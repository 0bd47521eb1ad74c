// An ONNX file as plain records: the part of onnx.proto that inference needs, nothing interpreted.
//
// Texts and raw tensor data point into the bytes that were parsed and live as long as those. Numbers are as the file
// has them: whether a data type is known, dims fit the data or an attribute is in range is the reader's business.
#ifndef INKREAD_ONNX_MODEL_H_
#define INKREAD_ONNX_MODEL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace inkread::onnx {

// TensorProto.DataType, those that have a name here.
inline constexpr int32_t kFloat32 = 1;
inline constexpr int32_t kInt32 = 6;
inline constexpr int32_t kInt64 = 7;

struct Tensor {
  std::string_view name;
  std::vector<int64_t> dims;
  int32_t data_type = 0;
  // The elements are in one of these.
  std::optional<std::span<const uint8_t>> raw_data;  // little endian, at any alignment
  std::vector<float> float_data;
  std::vector<int64_t> int64_data;
  std::vector<int32_t> int32_data;
  bool external = false;  // the elements are in another file
};

// AttributeProto.AttributeType, those that have a field here.
enum class AttributeType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kFloats = 6,
  kInts = 7,
};

struct Attribute {
  std::string_view name;
  AttributeType type = AttributeType::kUndefined;  // anything else in the file (graphs, strings ...) stays as it is
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::optional<Tensor> t;
  std::vector<float> floats;
  std::vector<int64_t> ints;
};

struct Node {
  std::string_view name, op_type, domain;
  std::vector<std::string_view> inputs, outputs;  // an empty name: left out
  std::vector<Attribute> attributes;
};

struct ValueInfo {
  std::string_view name;
  int32_t elem_type = 0;      // 0: not a tensor
  std::vector<int64_t> dims;  // -1 where free
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs, outputs;
  bool has_sparse_initializers = false;
};

struct OpsetImport {
  std::string_view domain;
  int64_t version = 0;
};

struct MetadataEntry {
  std::string_view key, value;
};

struct Model {
  int64_t ir_version = 0;
  std::vector<OpsetImport> opset_imports;
  Graph graph;
  std::vector<MetadataEntry> metadata;
};

}  // namespace inkread::onnx

#endif  // INKREAD_ONNX_MODEL_H_
