// Writes small ONNX files in memory, for import tests and as seeds of the fuzzer.
#ifndef INKREAD_TESTS_ONNX_WRITER_H_
#define INKREAD_TESTS_ONNX_WRITER_H_

#include <cstdint>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <vector>

namespace inkread {

// The bytes of an AttributeProto.
inline std::string OnnxInt(const std::string& name, int64_t value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, name);
  writer.add_int64(3, value);
  writer.add_int32(20, 2);
  return bytes;
}
inline std::string OnnxFloat(const std::string& name, float value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, name);
  writer.add_float(2, value);
  writer.add_int32(20, 1);
  return bytes;
}
inline std::string OnnxString(const std::string& name, const std::string& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, name);
  writer.add_bytes(4, value);
  writer.add_int32(20, 3);
  return bytes;
}
inline std::string OnnxInts(const std::string& name, const std::vector<int64_t>& values) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, name);
  for (int64_t value : values) writer.add_int64(8, value);
  writer.add_int32(20, 7);
  return bytes;
}
inline std::string OnnxTensorAttr(const std::string& name, const std::string& tensor) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, name);
  writer.add_message(5, tensor);
  writer.add_int32(20, 4);
  return bytes;
}

// The bytes of a StringStringEntryProto.
inline std::string OnnxEntry(const std::string& key, const std::string& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, key);
  writer.add_string(2, value);
  return bytes;
}

// The bytes of a TensorProto whose elements are raw.
template <typename T>
std::string OnnxRawTensor(const std::string& name, const std::vector<int64_t>& dims, int32_t data_type,
                          const std::vector<T>& values) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_packed_int64(1, dims.begin(), dims.end());
  writer.add_int32(2, data_type);
  writer.add_string(8, name);
  writer.add_bytes(9, reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}
inline std::string OnnxFloats(const std::string& name, const std::vector<int64_t>& dims,
                              const std::vector<float>& values) {
  return OnnxRawTensor(name, dims, 1, values);
}
inline std::string OnnxInt64s(const std::string& name, const std::vector<int64_t>& dims,
                              const std::vector<int64_t>& values) {
  return OnnxRawTensor(name, dims, 7, values);
}

// A model: input "x", output "y" unless said otherwise.
class OnnxWriter {
 public:
  explicit OnnxWriter(int64_t opset = 13) : opset_(opset) {}

  // -1: a free dimension
  OnnxWriter& Input(const std::vector<int64_t>& dims, const std::string& name = "x", int32_t elem_type = 1) {
    AddValueInfo(11, name, dims, elem_type);
    return *this;
  }
  OnnxWriter& Output(const std::string& name = "y") {
    AddValueInfo(12, name, {}, 1);
    return *this;
  }
  OnnxWriter& Node(const std::string& op, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs, const std::vector<std::string>& attributes = {},
                   const std::string& name = "", const std::string& domain = "") {
    std::string bytes;
    protozero::pbf_writer writer(bytes);
    for (const std::string& input : inputs) writer.add_string(1, input);
    for (const std::string& output : outputs) writer.add_string(2, output);
    if (!name.empty()) writer.add_string(3, name);
    writer.add_string(4, op);
    for (const std::string& attribute : attributes) writer.add_message(5, attribute);
    if (!domain.empty()) writer.add_string(7, domain);
    protozero::pbf_writer(graph_).add_message(1, bytes);
    return *this;
  }
  OnnxWriter& Initializer(const std::string& tensor) {
    protozero::pbf_writer(graph_).add_message(5, tensor);
    return *this;
  }
  OnnxWriter& Metadata(const std::string& key, const std::string& value) {
    protozero::pbf_writer(metadata_).add_message(14, OnnxEntry(key, value));
    return *this;
  }

  std::string Bytes() const {
    std::string opset, bytes;
    protozero::pbf_writer(opset).add_int64(2, opset_);
    protozero::pbf_writer writer(bytes);
    writer.add_int64(1, 7);
    writer.add_message(7, graph_);
    writer.add_message(8, opset);
    return bytes + metadata_;
  }

 private:
  void AddValueInfo(uint32_t tag, const std::string& name, const std::vector<int64_t>& dims, int32_t elem_type) {
    std::string shape, tensor, type, value;
    for (int64_t dim : dims) {
      std::string dimension;
      if (dim >= 0) {
        protozero::pbf_writer(dimension).add_int64(1, dim);
      } else {
        protozero::pbf_writer(dimension).add_string(2, "free");
      }
      protozero::pbf_writer(shape).add_message(1, dimension);
    }
    protozero::pbf_writer tensor_writer(tensor);
    tensor_writer.add_int32(1, elem_type);
    tensor_writer.add_message(2, shape);
    protozero::pbf_writer(type).add_message(1, tensor);
    protozero::pbf_writer value_writer(value);
    value_writer.add_string(1, name);
    value_writer.add_message(2, type);
    protozero::pbf_writer(graph_).add_message(tag, value);
  }

  int64_t opset_;
  std::string graph_, metadata_;
};

// A 1x1 convolution of three channels to four at any size, for tests that need some network. Its result is "y".
inline OnnxWriter SmallConvolution(const std::string& result = "y") {
  std::vector<float> weights(4 * 3);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.1f * static_cast<float>(i) - 0.5f;
  OnnxWriter writer;
  writer.Input({-1, 3, -1, -1}).Output().Initializer(OnnxFloats("w", {4, 3, 1, 1}, weights));
  writer.Node("Conv", {"x", "w"}, {result}, {OnnxInts("kernel_shape", {1, 1})});
  return writer;
}

inline void WriteModel(const OnnxWriter& writer, const std::string& path) {
  const std::string bytes = writer.Bytes();
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::span<const uint8_t> AsBytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace inkread

#endif  // INKREAD_TESTS_ONNX_WRITER_H_
