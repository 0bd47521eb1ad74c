// One function per message of onnx.proto. Field numbers are those of onnx.proto (onnx/onnx, IR version 3 to 10). Fields
// that are not listed or have another wire type are skipped. Subgraphs are skipped too, so there is no recursion.
#include "onnx/parse.h"

#include <bit>
#include <cstring>
#include <new>
#include <protozero/pbf_reader.hpp>

#include "base/file_format.h"

namespace inkread::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "packed floats are copied without conversion");

using protozero::pbf_reader;

// Limits above those of any real network. A record takes two bytes in a hostile file and a hundred times that in
// memory.
constexpr size_t kMaxNodes = 1 << 16;
constexpr size_t kMaxInitializers = 1 << 16;
constexpr size_t kMaxAttributes = 1 << 8;   // of a node
constexpr size_t kMaxNodeValues = 1 << 12;  // inputs or outputs of a node
constexpr size_t kMaxGraphValues = 1 << 16;
constexpr size_t kMaxEntries = 1 << 12;  // opsets, metadata

struct TooMany {
  const char* what;
  size_t limit;
};

template <typename T>
T& Append(std::vector<T>& list, size_t limit, const char* what) {
  if (list.size() >= limit) throw TooMany{what, limit};
  return list.emplace_back();
}

constexpr uint32_t Varint(uint32_t tag) { return protozero::tag_and_type(tag, protozero::pbf_wire_type::varint); }
constexpr uint32_t Fixed32(uint32_t tag) { return protozero::tag_and_type(tag, protozero::pbf_wire_type::fixed32); }
constexpr uint32_t Bytes(uint32_t tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
}

std::string_view Text(pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

void AppendPackedFloats(pbf_reader& reader, std::vector<float>& list) {
  const std::string_view bytes = Text(reader);
  if (bytes.size() % sizeof(float) != 0) throw protozero::invalid_length_exception();
  if (bytes.empty()) return;
  const size_t before = list.size();
  list.resize(before + bytes.size() / sizeof(float));
  std::memcpy(list.data() + before, bytes.data(), bytes.size());
}

// StringStringEntryProto
void ParseEntry(pbf_reader reader, MetadataEntry& entry) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        entry.key = Text(reader);
        break;
      case Bytes(2):
        entry.value = Text(reader);
        break;
      default:
        reader.skip();
    }
  }
}

Tensor ParseTensor(pbf_reader reader) {
  Tensor tensor;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Varint(1):
        tensor.dims.push_back(reader.get_int64());
        break;
      case Bytes(1):
        for (int64_t dim : reader.get_packed_int64()) tensor.dims.push_back(dim);
        break;
      case Varint(2):
        tensor.data_type = reader.get_int32();
        break;
      case Fixed32(4):
        tensor.float_data.push_back(reader.get_float());
        break;
      case Bytes(4):
        AppendPackedFloats(reader, tensor.float_data);
        break;
      case Varint(5):
        tensor.int32_data.push_back(reader.get_int32());
        break;
      case Bytes(5):
        for (int32_t value : reader.get_packed_int32()) tensor.int32_data.push_back(value);
        break;
      case Varint(7):
        tensor.int64_data.push_back(reader.get_int64());
        break;
      case Bytes(7):
        for (int64_t value : reader.get_packed_int64()) tensor.int64_data.push_back(value);
        break;
      case Bytes(8):
        tensor.name = Text(reader);
        break;
      case Bytes(9): {
        const std::string_view raw = Text(reader);
        tensor.raw_data = std::span(reinterpret_cast<const uint8_t*>(raw.data()), raw.size());
        break;
      }
      case Bytes(13): {
        MetadataEntry entry;
        ParseEntry(reader.get_message(), entry);
        if (entry.key == "location") tensor.external_file = entry.value;
        tensor.external = true;
        break;
      }
      case Varint(14):
        if (reader.get_int32() == 1) tensor.external = true;
        break;
      default:
        reader.skip();
    }
  }
  return tensor;
}

void ParseAttribute(pbf_reader reader, Attribute& attribute) {
  // Files of IR version 1 have no type field; the type follows from the value that is set.
  AttributeType seen = AttributeType::kUndefined;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        attribute.name = Text(reader);
        break;
      case Fixed32(2):
        attribute.f = reader.get_float();
        seen = AttributeType::kFloat;
        break;
      case Varint(3):
        attribute.i = reader.get_int64();
        seen = AttributeType::kInt;
        break;
      case Bytes(4):
        attribute.s = Text(reader);
        seen = AttributeType::kString;
        break;
      case Bytes(5):
        attribute.t = ParseTensor(reader.get_message());
        seen = AttributeType::kTensor;
        break;
      case Fixed32(7):
        attribute.floats.push_back(reader.get_float());
        seen = AttributeType::kFloats;
        break;
      case Bytes(7):
        AppendPackedFloats(reader, attribute.floats);
        seen = AttributeType::kFloats;
        break;
      case Varint(8):
        attribute.ints.push_back(reader.get_int64());
        seen = AttributeType::kInts;
        break;
      case Bytes(8):
        for (int64_t value : reader.get_packed_int64()) attribute.ints.push_back(value);
        seen = AttributeType::kInts;
        break;
      case Varint(20):
        attribute.type = static_cast<AttributeType>(reader.get_int32());
        break;
      default:
        reader.skip();
    }
  }
  if (attribute.type == AttributeType::kUndefined) attribute.type = seen;
}

void ParseNode(pbf_reader reader, Node& node) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        Append(node.inputs, kMaxNodeValues, "inputs of a node") = Text(reader);
        break;
      case Bytes(2):
        Append(node.outputs, kMaxNodeValues, "outputs of a node") = Text(reader);
        break;
      case Bytes(3):
        node.name = Text(reader);
        break;
      case Bytes(4):
        node.op_type = Text(reader);
        break;
      case Bytes(5):
        ParseAttribute(reader.get_message(), Append(node.attributes, kMaxAttributes, "attributes of a node"));
        break;
      case Bytes(7):
        node.domain = Text(reader);
        break;
      default:
        reader.skip();
    }
  }
}

// TensorShapeProto
void ParseShape(pbf_reader reader, std::vector<int64_t>& dims) {
  while (reader.next()) {
    if (reader.tag_and_type() != Bytes(1)) {
      reader.skip();
      continue;
    }
    pbf_reader dimension = reader.get_message();
    int64_t& dim = Append(dims, kMaxNodeValues, "dims of a value");
    dim = -1;
    while (dimension.next()) {
      if (dimension.tag_and_type() == Varint(1)) {
        dim = dimension.get_int64();
      } else {
        dimension.skip();
      }
    }
  }
}

// TypeProto; only tensor_type is read.
void ParseType(pbf_reader reader, ValueInfo& value) {
  while (reader.next()) {
    if (reader.tag_and_type() != Bytes(1)) {
      reader.skip();
      continue;
    }
    pbf_reader tensor = reader.get_message();
    while (tensor.next()) {
      switch (tensor.tag_and_type()) {
        case Varint(1):
          value.elem_type = tensor.get_int32();
          break;
        case Bytes(2):
          value.dims.clear();
          ParseShape(tensor.get_message(), value.dims);
          break;
        default:
          tensor.skip();
      }
    }
  }
}

void ParseValueInfo(pbf_reader reader, ValueInfo& value) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        value.name = Text(reader);
        break;
      case Bytes(2):
        ParseType(reader.get_message(), value);
        break;
      default:
        reader.skip();
    }
  }
}

void ParseGraph(pbf_reader reader, Graph& graph) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        ParseNode(reader.get_message(), Append(graph.nodes, kMaxNodes, "nodes"));
        break;
      case Bytes(5):
        Append(graph.initializers, kMaxInitializers, "initializers") = ParseTensor(reader.get_message());
        break;
      case Bytes(11):
        ParseValueInfo(reader.get_message(), Append(graph.inputs, kMaxGraphValues, "inputs"));
        break;
      case Bytes(12):
        ParseValueInfo(reader.get_message(), Append(graph.outputs, kMaxGraphValues, "outputs"));
        break;
      case Bytes(15):
        graph.has_sparse_initializers = true;
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }
}

void ParseOpset(pbf_reader reader, OpsetImport& opset) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Bytes(1):
        opset.domain = Text(reader);
        break;
      case Varint(2):
        opset.version = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
}

// Returns true if there was a graph.
bool ParseModelProto(pbf_reader reader, Model& model) {
  bool has_graph = false;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case Varint(1):
        model.ir_version = reader.get_int64();
        break;
      case Bytes(7):
        ParseGraph(reader.get_message(), model.graph);
        has_graph = true;
        break;
      case Bytes(8):
        ParseOpset(reader.get_message(), Append(model.opset_imports, kMaxEntries, "opsets"));
        break;
      case Bytes(14):
        ParseEntry(reader.get_message(), Append(model.metadata, kMaxEntries, "metadata entries"));
        break;
      default:
        reader.skip();
    }
  }
  return has_graph;
}

// ", found a Git LFS pointer" and so on; empty if the format is not known.
std::string FoundFormat(std::span<const uint8_t> bytes) {
  const std::string_view format = FileFormatName(bytes);
  return format.empty() ? "" : StrCat(", found ", format);
}

}  // namespace

Result<Model> ParseModel(std::span<const uint8_t> bytes, const std::string& name) {
  if (bytes.empty()) return CorruptModel(name, ": the file is empty");
  Model model;
  try {
    const pbf_reader reader(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!ParseModelProto(reader, model)) return CorruptModel(name, ": not an ONNX model: it has no graph");
  } catch (const TooMany& many) {
    return Unsupported(name, ": more than ", many.limit, " ", many.what);
  } catch (const protozero::end_of_buffer_exception&) {
    return CorruptModel(name, ": truncated, or not an ONNX model: a record extends past the end of its ", bytes.size(),
                        " bytes", FoundFormat(bytes));
  } catch (const protozero::exception& error) {
    return CorruptModel(name, ": not an ONNX model: ", error.what(), FoundFormat(bytes));
  } catch (const std::bad_alloc&) {
    return OutOfMemory(name, ": no memory for the records of the model");
  }
  return model;
}

}  // namespace inkread::onnx
