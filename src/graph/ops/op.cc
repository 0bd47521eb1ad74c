#include "graph/ops/op.h"

#include <algorithm>
#include <iterator>

#include "graph/ops/families.h"

namespace inkread {
namespace {

// 4 TiB of floats: far above the needs of any image, and small enough that sums of sizes do not overflow 64 bits.
constexpr int64_t kMaxElements = int64_t{1} << 40;

// One row per OpType, in its order.
constexpr OpInfo kOps[] = {
    {OpType::kAdd, "Add", "DD", true, nullptr, InferBinary},
    {OpType::kAveragePool, "AveragePool", "D", false, ReadPool, InferPool},
    {OpType::kBatchNormalization, "BatchNormalization", "DDDDD", false, ReadBatchNormalization,
     InferBatchNormalization},
    {OpType::kCast, "Cast", "D", true, ReadCast, InferCast},
    {OpType::kClip, "Clip", "Ddd", false, ReadClip, InferUnary},
    {OpType::kConcat, "Concat", "D*", true, ReadConcat, InferConcat},
    {OpType::kConv, "Conv", "DDd", false, ReadConv, InferConv},
    {OpType::kConvTranspose, "ConvTranspose", "DDd", false, ReadConv, InferConvTranspose},
    {OpType::kDiv, "Div", "DD", true, nullptr, InferBinary},
    {OpType::kErf, "Erf", "D", false, nullptr, InferUnary},
    {OpType::kGather, "Gather", "DI", true, ReadGather, InferGather},
    {OpType::kGemm, "Gemm", "DDd", false, ReadGemm, InferGemm},
    {OpType::kGlobalAveragePool, "GlobalAveragePool", "D", false, nullptr, InferGlobalPool},
    {OpType::kHardSigmoid, "HardSigmoid", "D", false, ReadHardSigmoid, InferUnary},
    {OpType::kHardSwish, "HardSwish", "D", false, nullptr, InferUnary},
    {OpType::kIdentity, "Identity", "D", true, nullptr, InferUnary},
    {OpType::kMatMul, "MatMul", "DDd", false, nullptr, InferMatMul},
    {OpType::kMaxPool, "MaxPool", "D", false, ReadPool, InferPool},
    {OpType::kMul, "Mul", "DD", true, nullptr, InferBinary},
    {OpType::kPad, "Pad", "DId", false, ReadPad, InferPad},
    {OpType::kPow, "Pow", "DD", false, nullptr, InferBinary},
    {OpType::kReduceMean, "ReduceMean", "D", false, ReadReduceMean, InferReduceMean},
    {OpType::kRelu, "Relu", "D", false, nullptr, InferUnary},
    {OpType::kReshape, "Reshape", "DI", true, ReadReshape, InferReshape},
    {OpType::kResize, "Resize", "Dddi", false, ReadResize, InferResize},
    {OpType::kShape, "Shape", "D", true, ReadShape, InferShape},
    {OpType::kSigmoid, "Sigmoid", "D", false, nullptr, InferUnary},
    {OpType::kSlice, "Slice", "DIIii", true, nullptr, InferSlice},
    {OpType::kSoftmax, "Softmax", "D", false, ReadSoftmax, InferSoftmax},
    {OpType::kSqrt, "Sqrt", "D", false, nullptr, InferUnary},
    {OpType::kSqueeze, "Squeeze", "Di", true, ReadSqueeze, InferSqueeze},
    {OpType::kSub, "Sub", "DD", true, nullptr, InferBinary},
    {OpType::kTranspose, "Transpose", "D", true, ReadTranspose, InferTranspose},
    {OpType::kUnsqueeze, "Unsqueeze", "Di", true, ReadUnsqueeze, InferUnsqueeze},
    {OpType::kGelu, "Gelu", "D", false, nullptr, InferUnary, false},
    {OpType::kSwish, "Swish", "D", false, nullptr, InferUnary, false},
    {OpType::kAffine, "Affine", "D", false, nullptr, InferUnary, false},
    {OpType::kLayerNorm, "LayerNorm", "Ddd", false, nullptr, InferLayerNorm, false},
    {OpType::kAttention, "Attention", "DDD", false, nullptr, InferAttention, false},
    {OpType::kSqueezeExcite, "SqueezeExcite", "DDdDd", false, nullptr, InferUnary, false},
};

constexpr bool IsInOrder() {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    if (static_cast<size_t>(kOps[i].op) != i) return false;
  }
  return true;
}
static_assert(std::size(kOps) == kNumOpTypes && IsInOrder(), "kOps has one row for each OpType, in its order");

// The letter of input i; 0 if there is none.
char InputKind(const OpInfo& info, size_t i) {
  const std::string_view inputs = info.inputs;
  if (inputs.back() == '*') return i == 0 ? inputs[0] : 'D';
  return i < inputs.size() ? inputs[i] : '\0';
}

}  // namespace

const OpInfo& InfoOf(OpType op) {
  INKREAD_CHECK(static_cast<size_t>(op) < std::size(kOps));
  return kOps[static_cast<size_t>(op)];
}

const OpInfo* FindOp(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOps), std::end(kOps),
                                   [&](const OpInfo& info) { return info.in_files && info.name == name; });
  return found == std::end(kOps) ? nullptr : found;
}

const char* OpTypeName(OpType op) { return InfoOf(op).name; }

Result<std::vector<bool>> CheckInputs(const Graph& graph) {
  std::vector<bool> is_int(graph.values.size(), false);
  for (size_t i = 0; i < graph.values.size(); ++i) {
    is_int[i] = graph.values[i].constant && graph.values[i].constant->is_int;
  }
  for (const Node& node : graph.nodes) {
    const OpInfo& info = InfoOf(node.op);
    auto error = [&](const auto&... args) {
      return CorruptModel(graph.file, ": node '", node.name, "': ", info.name, " ", args...);
    };
    const size_t num_named = std::string_view(info.inputs).size();
    const bool repeats = info.inputs[num_named - 1] == '*';
    if (!repeats && node.inputs.size() > num_named) {
      return error("has ", node.inputs.size(), " inputs, expected at most ", num_named);
    }
    for (size_t i = 0; i < std::max(node.inputs.size(), repeats ? 1 : num_named); ++i) {
      const char kind = InputKind(info, i);
      if (i >= node.inputs.size() || node.inputs[i] == kNoValue) {
        if (kind == 'D' || kind == 'I') return error("has no input ", i);
        continue;
      }
      const bool expected = kind == 'I' || kind == 'i' || (i > 0 && is_int[node.inputs[0]]);
      const bool got = is_int[node.inputs[i]];
      if (i == 0 ? got && !info.takes_ints : got != expected) {
        return error("input ", i, " holds ", got ? "integers" : "floats", ", expected ", got ? "floats" : "integers");
      }
    }
    if (node.op == OpType::kShape) {
      is_int[node.output] = true;
    } else if (node.op == OpType::kCast) {
      const CastAttrs* cast = std::get_if<CastAttrs>(&node.attrs);
      is_int[node.output] = cast != nullptr && cast->to_int;
    } else {
      is_int[node.output] = is_int[node.inputs[0]];
    }
  }
  return is_int;
}

ValueShape ShapeOfConstant(const Tensor& tensor) {
  ValueShape shape;
  shape.dims = tensor.dims;
  if (tensor.is_int && tensor.num_elements() <= kMaxShapeInts) shape.ints = tensor.ints;
  return shape;
}

Status InferNode(const Graph& graph, const Node& node, std::vector<ValueShape>& shapes) {
  NodeShapes rule(graph, node, shapes);
  ValueShape& out = rule.Out();
  out.dims.clear();
  out.ints.reset();
  INKREAD_RETURN_IF_ERROR(InfoOf(node.op).infer(rule));
  if (out.dims.size() > kMaxRank) {
    return rule.NotSupported("the result is ", DimsToString(out.dims), ", at most ", kMaxRank, " dimensions can be");
  }
  int64_t elements = 1;
  for (int64_t dim : out.dims) {
    // Integer values may be empty, for example the slice of a shape.
    if (dim < 0 || (dim == 0 && !out.ints)) {
      return rule.Error("the result would be ", DimsToString(out.dims), ": the network's input is too small");
    }
    if (__builtin_mul_overflow(elements, dim, &elements) || elements > kMaxElements) {
      return rule.NotSupported("the result would be ", DimsToString(out.dims), ", which is too large");
    }
  }
  return Status();
}

}  // namespace inkread
