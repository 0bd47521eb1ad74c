// Builds the graph: names become value ids, and each node is read by its operator's file in ops/.
#include "graph/import.h"

#include <string_view>
#include <unordered_map>

#include "graph/import_constants.h"
#include "graph/ops/op.h"
#include "onnx/parse.h"

namespace inkread {
namespace {

constexpr int64_t kMinOpset = 11, kMaxOpset = 17;

bool IsOnnxDomain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

class Importer {
 public:
  Importer(const onnx::Model& model, std::shared_ptr<const void> owner, const std::string& name)
      : model_(model), owner_(std::move(owner)) {
    graph_.file = name;
  }

  Result<Graph> Run() {
    INKREAD_RETURN_IF_ERROR(ReadOpset());
    INKREAD_RETURN_IF_ERROR(ListInitializers());
    INKREAD_RETURN_IF_ERROR(ReadInput());
    for (const onnx::Node& node : model_.graph.nodes) INKREAD_RETURN_IF_ERROR(ReadNode(node));
    INKREAD_RETURN_IF_ERROR(ReadOutput());
    for (const onnx::MetadataEntry& entry : model_.metadata) {
      graph_.metadata[std::string(entry.key)] = std::string(entry.value);
    }
    INKREAD_RETURN_IF_ERROR(CheckInputs(graph_).status());
    return std::move(graph_);
  }

 private:
  Status ReadOpset() {
    for (const onnx::OpsetImport& opset : model_.opset_imports) {
      if (IsOnnxDomain(opset.domain)) opset_ = opset.version;
    }
    if (opset_ == 0) return CorruptModel(graph_.file, ": truncated, or not an ONNX model: it names no operator set");
    if (opset_ < kMinOpset || opset_ > kMaxOpset) {
      return Unsupported(graph_.file, ": operator set ", opset_, " is not supported, only ", kMinOpset, " to ",
                         kMaxOpset);
    }
    return Status();
  }

  // An initializer becomes a constant when a node first reads it. Others may have any type.
  Status ListInitializers() {
    if (model_.graph.has_sparse_initializers) return Unsupported(graph_.file, ": sparse initializers");
    for (const onnx::Tensor& tensor : model_.graph.initializers) {
      if (!initializers_.emplace(tensor.name, &tensor).second) return Twice(tensor.name);
    }
    return Status();
  }

  Status ReadInput() {
    for (const onnx::ValueInfo& input : model_.graph.inputs) {
      if (initializers_.count(input.name) != 0) continue;  // before IR version 4 initializers are also listed as inputs
      if (graph_.input != kNoValue) {
        return Unsupported(graph_.file, ": has inputs '", graph_.values[graph_.input].name, "' and '", input.name,
                           "', expected one");
      }
      if (input.elem_type != onnx::kFloat32) {
        return Unsupported(graph_.file, ": input '", input.name, "' has data type ", input.elem_type, " (",
                           onnx::DataTypeName(input.elem_type), ")", ", expected float");
      }
      if (input.dims.size() > kMaxRank) {
        return Unsupported(graph_.file, ": input '", input.name, "' has ", input.dims.size(), " dimensions");
      }
      INKREAD_ASSIGN_OR_RETURN(graph_.input, Define(input.name));
      graph_.input_dims = input.dims;
      // In files a free dim is a name, 0 or any negative number.
      for (int64_t& dim : graph_.input_dims) {
        if (dim <= 0) dim = -1;
      }
    }
    if (graph_.input == kNoValue) return CorruptModel(graph_.file, ": has no input");
    return Status();
  }

  Status ReadOutput() {
    const auto& outputs = model_.graph.outputs;
    if (outputs.size() != 1) return Unsupported(graph_.file, ": has ", outputs.size(), " outputs, expected one");
    const auto found = values_.find(outputs[0].name);
    if (found == values_.end() || graph_.ConstantOf(found->second) != nullptr || found->second == graph_.input) {
      return CorruptModel(graph_.file, ": output '", outputs[0].name, "' is not produced by any node");
    }
    graph_.output = found->second;
    return Status();
  }

  Status ReadNode(const onnx::Node& file_node) {
    std::string name(file_node.name);
    if (name.empty()) name = StrCat(file_node.op_type, "_", num_nodes_);
    ++num_nodes_;
    const std::string what = StrCat(graph_.file, ": node '", name, "'");
    if (file_node.outputs.empty() || file_node.outputs[0].empty()) return CorruptModel(what, ": has no output");
    if (IsOnnxDomain(file_node.domain) && file_node.op_type == "Constant") {
      INKREAD_ASSIGN_OR_RETURN(Tensor tensor, ImportConstantNode(file_node, owner_, what));
      INKREAD_ASSIGN_OR_RETURN(const ValueId id, Define(file_node.outputs[0]));
      graph_.values[id].constant = std::move(tensor);
      return Status();
    }
    if (IsOnnxDomain(file_node.domain) && file_node.op_type == "Split") return ReadSplit(file_node, name, what);
    const bool is_dropout = file_node.op_type == "Dropout";  // has no effect outside training
    const OpInfo* info = is_dropout ? &InfoOf(OpType::kIdentity) : FindOp(file_node.op_type);
    if (info == nullptr || !IsOnnxDomain(file_node.domain)) {
      return Unsupported(what, ": operator '", file_node.domain, file_node.domain.empty() ? "" : ".", file_node.op_type,
                         "' is not supported");
    }
    Node node;
    node.op = info->op;
    node.name = std::move(name);
    for (std::string_view input : file_node.inputs) {
      INKREAD_ASSIGN_OR_RETURN(const ValueId id, Find(input, what));
      node.inputs.push_back(id);
    }
    if (is_dropout) {
      if (node.inputs.size() > 2) return Unsupported(what, ": Dropout with training_mode is not supported");
      if (node.inputs.size() == 2) node.inputs.pop_back();
    } else if (node.op == OpType::kMatMul && node.inputs.size() > 2) {
      return CorruptModel(what, ": MatMul has ", node.inputs.size(), " inputs, expected 2");
    } else {
      while (!node.inputs.empty() && node.inputs.back() == kNoValue) node.inputs.pop_back();
      NodeReader reader(file_node, graph_, node, opset_);
      INKREAD_RETURN_IF_ERROR(info->read != nullptr ? info->read(reader, node) : reader.Finish());
    }
    // Further outputs (masks, indices) get no value, so a node that reads one is an error.
    INKREAD_ASSIGN_OR_RETURN(node.output, Define(file_node.outputs[0]));
    graph_.nodes.push_back(std::move(node));
    return Status();
  }

  // A Split becomes one Slice for each of its outputs: every other node has a single one.
  Status ReadSplit(const onnx::Node& file_node, const std::string& name, const std::string& what) {
    Node node;
    node.op = OpType::kSlice;
    for (std::string_view input : file_node.inputs) {
      INKREAD_ASSIGN_OR_RETURN(const ValueId id, Find(input, what));
      node.inputs.push_back(id);
    }
    node.name = name;
    if (node.inputs.empty() || node.inputs[0] == kNoValue) return CorruptModel(what, ": Split has no input");
    NodeReader reader(file_node, graph_, node, opset_);
    constexpr int64_t kLimit = int64_t{1} << 32;
    const int64_t axis = reader.Int("axis", 0, -static_cast<int64_t>(kMaxRank), kMaxRank - 1);
    std::vector<int64_t> lengths = reader.Ints("split");
    if (reader.HasInput(1)) lengths = reader.IntsInput(1, "its lengths");
    INKREAD_RETURN_IF_ERROR(reader.Finish());
    if (lengths.empty()) return Unsupported(what, ": a Split without lengths");
    if (lengths.size() != file_node.outputs.size())
      return CorruptModel(what, ": Split has ", file_node.outputs.size(), " outputs and ", lengths.size(), " lengths");
    int64_t begin = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] < 0 || lengths[i] > kLimit) return CorruptModel(what, ": a Split of length ", lengths[i]);
      const int64_t end = begin + lengths[i];
      if (!file_node.outputs[i].empty()) {
        const std::string part = StrCat(name, ".", i);
        const auto constant = [&](int64_t number) {
          const ValueId id = graph_.AddValue(part);
          graph_.values[id].constant = Tensor::FromInts({1}, {number});
          return id;
        };
        const std::vector<ValueId> inputs{node.inputs[0], constant(begin), constant(end), constant(axis)};
        INKREAD_ASSIGN_OR_RETURN(const ValueId output, Define(file_node.outputs[i]));
        graph_.nodes.push_back({OpType::kSlice, part, inputs, output, {}});
      }
      begin = end;
    }
    return Status();
  }

  Result<ValueId> Find(std::string_view name, const std::string& what) {
    if (name.empty()) return kNoValue;
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    const auto initializer = initializers_.find(name);
    if (initializer == initializers_.end()) {
      return CorruptModel(what, ": reads '", name, "', which no earlier node produces");
    }
    INKREAD_ASSIGN_OR_RETURN(Tensor tensor,
                             ImportTensor(*initializer->second, owner_, StrCat(graph_.file, ": tensor '", name, "'")));
    const ValueId id = graph_.AddValue(std::string(name));
    values_.emplace(name, id);
    graph_.values[id].constant = std::move(tensor);
    return id;
  }

  Result<ValueId> Define(std::string_view name) {
    const ValueId id = graph_.AddValue(std::string(name));
    if (initializers_.count(name) != 0 || !values_.emplace(name, id).second) return Twice(name);
    return id;
  }

  Status Twice(std::string_view name) const { return CorruptModel(graph_.file, ": '", name, "' is defined twice"); }

  const onnx::Model& model_;
  std::shared_ptr<const void> owner_;
  Graph graph_;
  int64_t opset_ = 0;
  size_t num_nodes_ = 0;
  std::unordered_map<std::string_view, const onnx::Tensor*> initializers_;
  std::unordered_map<std::string_view, ValueId> values_;
};

}  // namespace

Result<Graph> ImportOnnxBytes(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner,
                              const std::string& name) {
  INKREAD_ASSIGN_OR_RETURN(const onnx::Model model, onnx::ParseModel(bytes, name));
  return Importer(model, std::move(owner), name).Run();
}

Result<Graph> ImportOnnx(std::shared_ptr<const MappedFile> file, const std::string& name) {
  const std::span<const uint8_t> bytes = file->bytes();
  return ImportOnnxBytes(bytes, std::move(file), name);
}

}  // namespace inkread
