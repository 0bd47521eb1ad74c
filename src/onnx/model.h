// An ONNX file as plain records: the part of onnx.proto that inference needs, not interpreted.
//
// Texts and raw tensor data point into the parsed bytes and are valid as long as these. Numbers are not checked: the
// caller checks whether a data type is known, dims match the data and attributes are in range (graph/import.h).
#ifndef INKREAD_ONNX_MODEL_H_
#define INKREAD_ONNX_MODEL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace inkread::onnx {

// The values of TensorProto.DataType that inkread supports.
inline constexpr int32_t kFloat32 = 1;
inline constexpr int32_t kInt32 = 6;
inline constexpr int32_t kInt64 = 7;

// "float16" and so on for a value of TensorProto.DataType; "unknown" for any other.
const char* DataTypeName(int32_t data_type);

struct Tensor {
  std::string_view name;
  std::vector<int64_t> dims;
  int32_t data_type = 0;
  // The elements are in one of the following four.
  std::optional<std::span<const uint8_t>> raw_data;  // little endian, may be unaligned
  std::vector<float> float_data;
  std::vector<int64_t> int64_data;
  std::vector<int32_t> int32_data;
  bool external = false;           // true: the elements are in another file
  std::string_view external_file;  // its path, where the record tells it
};

// The values of AttributeProto.AttributeType that have a field in Attribute.
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
  AttributeType type = AttributeType::kUndefined;  // may be another value of the file (graph, strings ...)
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::optional<Tensor> t;
  std::vector<float> floats;
  std::vector<int64_t> ints;
};

struct Node {
  std::string_view name, op_type, domain;
  std::vector<std::string_view> inputs, outputs;  // an empty name means that the value is omitted
  std::vector<Attribute> attributes;
};

struct ValueInfo {
  std::string_view name;
  int32_t elem_type = 0;      // 0: not a tensor
  std::vector<int64_t> dims;  // -1 if free
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
