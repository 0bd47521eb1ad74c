#include "graph/import_constants.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"

namespace inkread {
namespace {

template <typename To, typename From>
std::vector<To> CopyRaw(std::span<const uint8_t> raw) {
  std::vector<To> values(raw.size() / sizeof(From));
  for (size_t i = 0; i < values.size(); ++i) {
    From value;
    std::memcpy(&value, raw.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(value);
  }
  return values;
}

}  // namespace

Result<Tensor> ImportTensor(const onnx::Tensor& tensor, const std::shared_ptr<const void>& owner,
                            const std::string& what) {
  if (tensor.external) {
    return Unsupported(what, ": its data is in another file", tensor.external_file.empty() ? "" : ", '",
                       tensor.external_file, tensor.external_file.empty() ? "" : "'",
                       "; expected it in the model file itself");
  }
  const bool is_float = tensor.data_type == onnx::kFloat32;
  if (!is_float && tensor.data_type != onnx::kInt32 && tensor.data_type != onnx::kInt64) {
    return Unsupported(what, ": data type ", tensor.data_type, " (", onnx::DataTypeName(tensor.data_type),
                       ") is not supported, only float, int32 and int64");
  }
  const bool in_range = std::all_of(tensor.dims.begin(), tensor.dims.end(), [](int64_t dim) { return dim >= 0; });
  const auto product = CheckedProduct(tensor.dims);
  if (tensor.dims.size() > kMaxRank || !in_range || !product) {
    return CorruptModel(what, ": its dims are ", DimsToString(tensor.dims));
  }

  const size_t element_bytes = tensor.data_type == onnx::kInt64 ? 8 : 4;
  const size_t in_list = is_float                           ? tensor.float_data.size()
                         : tensor.data_type == onnx::kInt64 ? tensor.int64_data.size()
                                                            : tensor.int32_data.size();
  const bool is_raw = tensor.raw_data.has_value();
  const size_t elements = is_raw ? tensor.raw_data->size() / element_bytes : in_list;
  if (static_cast<uint64_t>(*product) != elements || (is_raw && tensor.raw_data->size() % element_bytes != 0)) {
    return CorruptModel(what, ": it is ", DimsToString(tensor.dims), ", but has ",
                        is_raw ? tensor.raw_data->size() : in_list, is_raw ? " bytes" : " elements");
  }

  if (is_float && is_raw && !tensor.raw_data->empty() &&
      reinterpret_cast<uintptr_t>(tensor.raw_data->data()) % alignof(float) == 0) {
    Tensor result;
    result.dims = tensor.dims;
    result.floats = {reinterpret_cast<const float*>(tensor.raw_data->data()), elements};
    result.owner = owner;
    return result;
  }
  if (is_float) {
    return Tensor::FromFloats(tensor.dims, is_raw ? CopyRaw<float, float>(*tensor.raw_data) : tensor.float_data);
  }
  if (is_raw) {
    return Tensor::FromInts(tensor.dims, tensor.data_type == onnx::kInt64
                                             ? CopyRaw<int64_t, int64_t>(*tensor.raw_data)
                                             : CopyRaw<int64_t, int32_t>(*tensor.raw_data));
  }
  if (tensor.data_type == onnx::kInt64) return Tensor::FromInts(tensor.dims, tensor.int64_data);
  return Tensor::FromInts(tensor.dims, {tensor.int32_data.begin(), tensor.int32_data.end()});
}

Result<Tensor> ImportConstantNode(const onnx::Node& node, const std::shared_ptr<const void>& owner,
                                  const std::string& what) {
  if (node.attributes.size() != 1) {
    return CorruptModel(what, ": Constant has ", node.attributes.size(), " attributes, expected 1");
  }
  const onnx::Attribute& attribute = node.attributes[0];
  using Type = onnx::AttributeType;
  if (attribute.name == "value" && attribute.type == Type::kTensor && attribute.t) {
    return ImportTensor(*attribute.t, owner, what);
  }
  if (attribute.name == "value_float" && attribute.type == Type::kFloat) return Tensor::FromFloats({}, {attribute.f});
  if (attribute.name == "value_int" && attribute.type == Type::kInt) return Tensor::FromInts({}, {attribute.i});
  if (attribute.name == "value_floats" && attribute.type == Type::kFloats) {
    return Tensor::FromFloats({static_cast<int64_t>(attribute.floats.size())}, attribute.floats);
  }
  if (attribute.name == "value_ints" && attribute.type == Type::kInts) {
    return Tensor::FromInts({static_cast<int64_t>(attribute.ints.size())}, attribute.ints);
  }
  return Unsupported(what, ": Constant with attribute '", attribute.name, "' is not supported");
}

}  // namespace inkread
