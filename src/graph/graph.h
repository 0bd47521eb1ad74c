// A network as data: values, constants and nodes, in ONNX's own terms and dimension order ([n, c, h, w]).
//
// graph/import.h creates a Graph, graph/passes/ and planner/fuse/ simplify it; after that it is read only. The order of
// the nodes guarantees that every value is produced before it is used. A graph knows neither devices nor layouts.
#ifndef INKREAD_GRAPH_GRAPH_H_
#define INKREAD_GRAPH_GRAPH_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace inkread {

using Dims = std::vector<int64_t>;
inline constexpr size_t kMaxRank = 8;  // limit of the rank of any value, checked by import and shape rules

// "[1, 3, 48, 320]"
std::string DimsToString(std::span<const int64_t> dims);

// A constant. Floats may point into the mapped model file, which `owner` keeps alive. Integers are stored here.
struct Tensor {
  Dims dims;  // empty: a scalar
  std::span<const float> floats;
  std::vector<int64_t> ints;
  bool is_int = false;
  std::shared_ptr<const void> owner;

  int64_t num_elements() const;
  static Tensor FromFloats(Dims dims, std::vector<float> values);
  static Tensor FromInts(Dims dims, std::vector<int64_t> values);
};

// The operator of a node. Meaning, inputs and attributes are those of the ONNX operator of that name, opset 11 to 17,
// unless a comment says otherwise.
enum class OpType {
  kAdd,
  kAveragePool,
  kBatchNormalization,
  kCast,
  kClip,  // limits are attributes
  kConcat,
  kConv,
  kConvTranspose,
  kDiv,
  kErf,
  kGather,
  kGemm,
  kGlobalAveragePool,
  kHardSigmoid,
  kHardSwish,
  kIdentity,
  kMatMul,  // extension: an optional third input, a bias [n] that is added to each row
  kMaxPool,
  kMul,
  kPad,
  kPow,
  kReduceMean,  // axes are an attribute in every opset, as for Squeeze and Unsqueeze
  kRelu,
  kReshape,
  kResize,
  kShape,
  kSigmoid,
  kSlice,
  kSoftmax,
  kSqrt,
  kSqueeze,
  kSub,
  kTranspose,
  kUnsqueeze,
  // Created by planner/fuse, never read from a file.
  kGelu,       // x * 0.5 * (1 + erf(x / sqrt 2))
  kSwish,      // x * sigmoid(x)
  kAffine,     // x * scale + offset, two numbers
  kLayerNorm,  // inputs x, [scale], [shift]: over the last axis
  kAttention,  // inputs q, k, v [n, heads, t, d]: softmax(alpha q k^T) v
  // inputs m [n, c, 1, 1], w1, b1, w2, b2: clamp(alpha * (max(m w1 + b1, 0) w2 + b2) + beta, 0, 1) + add
  kSqueezeExcite,
};
inline constexpr size_t kNumOpTypes = static_cast<size_t>(OpType::kSqueezeExcite) + 1;  // the last enumerator + 1
const char* OpTypeName(OpType op);                                                      // ONNX name

enum class AutoPad { kNone, kSameUpper, kSameLower, kValid };

// Conv, ConvTranspose, MaxPool, AveragePool
struct WindowAttrs {
  std::array<int64_t, 2> kernel{1, 1}, stride{1, 1}, dilation{1, 1}, output_padding{0, 0};
  std::array<int64_t, 4> pads{0, 0, 0, 0};  // top, left, bottom, right
  AutoPad auto_pad = AutoPad::kNone;
  int64_t group = 1;
  bool ceil_mode = false;
  bool count_include_pad = false;
};
// Concat, Gather, Softmax (axes holds one), ReduceMean (none: all axes), Squeeze (none: all of length 1), Unsqueeze.
// Axes may be negative, as in the file.
struct AxesAttrs {
  std::vector<int64_t> axes;
  bool keepdims = true;
  // True for Softmax before opset 13, which is over axes[0] and all following axes. InferShapes accepts it only if this
  // makes no difference. In a graph that passed InferShapes it is therefore a softmax over axes[0].
  bool flattened = false;
};
// Transpose. Empty: all axes reversed.
struct PermAttrs {
  std::vector<int64_t> perm;
};
// HardSigmoid, LayerNorm (alpha is epsilon), BatchNormalization (alpha is epsilon), Clip (alpha is min, beta max),
// Attention (alpha scales q k^T), SqueezeExcite, HardSwish (its result is scaled and offset), Affine (scale and offset)
struct ScalarAttrs {
  float alpha = 0, beta = 0;
  float add = 0;  // SqueezeExcite
  float scale = 1, offset = 0;
};
struct GemmAttrs {
  float alpha = 1, beta = 1;
  bool trans_a = false, trans_b = false;
};
struct ResizeAttrs {
  bool nearest_asymmetric_floor = false;  // the only mode that has a kernel
};
struct CastAttrs {
  bool to_int = false;
};
using Attrs =
    std::variant<std::monostate, WindowAttrs, AxesAttrs, PermAttrs, ScalarAttrs, GemmAttrs, ResizeAttrs, CastAttrs>;

using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;  // an omitted optional input

struct Value {
  std::string name;
  std::optional<Tensor> constant;
};

struct Node {
  OpType op;
  std::string name;  // for messages; from the file, or operator and position, such as "Conv_12"
  std::vector<ValueId> inputs;
  ValueId output = kNoValue;  // every operator has exactly one
  Attrs attrs;
};

struct Graph {
  std::string file;  // for messages
  std::vector<Value> values;
  std::vector<Node> nodes;
  ValueId input = kNoValue;
  ValueId output = kNoValue;
  Dims input_dims;                              // as declared; -1 if free
  std::map<std::string, std::string> metadata;  // metadata_props, as in the file

  ValueId AddValue(std::string name) {
    values.push_back({std::move(name), std::nullopt});
    return static_cast<ValueId>(values.size()) - 1;
  }
  const Tensor* ConstantOf(ValueId v) const {
    return v != kNoValue && values[v].constant ? &*values[v].constant : nullptr;
  }
};

}  // namespace inkread

#endif  // INKREAD_GRAPH_GRAPH_H_
