#include "graph/ops/evaluate.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "graph/ops/families.h"

namespace inkread {
namespace {

size_t Product(std::span<const int64_t> dims) {
  size_t product = 1;
  for (int64_t dim : dims) product *= static_cast<size_t>(dim);
  return product;
}

// The strides of a dense tensor, in elements.
Dims StridesOf(const Dims& dims) {
  Dims strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

// out[i0, i1 ...] = in[offset + i0 * strides[0] + i1 * strides[1] ...]
template <typename T>
void CopyStrided(std::span<const T> in, int64_t offset, const Dims& strides, const Dims& dims, std::vector<T>& out) {
  const size_t count = Product(dims);
  out.resize(count);
  std::vector<int64_t> index(dims.size(), 0);
  int64_t at = offset;
  for (size_t i = 0; i < count; ++i) {
    out[i] = in[static_cast<size_t>(at)];
    for (size_t d = dims.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < dims[d]) break;
      at -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
}

template <typename T>
std::vector<T> BroadcastTo(std::span<const T> in, const Dims& in_dims, const Dims& dims) {
  const Dims dense = StridesOf(in_dims);
  Dims strides(dims.size(), 0);
  const size_t missing = dims.size() - in_dims.size();
  for (size_t i = 0; i < in_dims.size(); ++i) strides[missing + i] = in_dims[i] == 1 ? 0 : dense[i];
  std::vector<T> out;
  CopyStrided(in, 0, strides, dims, out);
  return out;
}

// Returns false if there is no result, which happens for integers only.
bool Binary(OpType op, float a, float b, float& out) {
  switch (op) {
    case OpType::kAdd:
      out = a + b;
      return true;
    case OpType::kSub:
      out = a - b;
      return true;
    case OpType::kMul:
      out = a * b;
      return true;
    case OpType::kDiv:
      out = a / b;
      return true;
    default:
      out = std::pow(a, b);
      return true;
  }
}

bool Binary(OpType op, int64_t a, int64_t b, int64_t& out) {
  switch (op) {
    case OpType::kAdd:
      return !__builtin_add_overflow(a, b, &out);
    case OpType::kSub:
      return !__builtin_sub_overflow(a, b, &out);
    case OpType::kMul:
      return !__builtin_mul_overflow(a, b, &out);
    case OpType::kDiv:
      if (b == 0 || (a == INT64_MIN && b == -1)) return false;
      out = a / b;
      return true;
    default:
      return false;
  }
}

float Unary(OpType op, const ScalarAttrs& attrs, float x) {
  switch (op) {
    case OpType::kClip:
      return std::min(std::max(x, attrs.alpha), attrs.beta);
    case OpType::kErf:
      return std::erf(x);
    case OpType::kHardSigmoid:
      return std::min(std::max(attrs.alpha * x + attrs.beta, 0.0f), 1.0f);
    case OpType::kHardSwish:
      return x * std::min(std::max(x / 6 + 0.5f, 0.0f), 1.0f);
    case OpType::kRelu:
      return std::max(x, 0.0f);
    case OpType::kSigmoid:
      return 1 / (1 + std::exp(-x));
    default:
      return std::sqrt(x);
  }
}

bool IsBinary(OpType op) {
  return op == OpType::kAdd || op == OpType::kSub || op == OpType::kMul || op == OpType::kDiv || op == OpType::kPow;
}

bool IsUnary(OpType op) {
  return op == OpType::kClip || op == OpType::kErf || op == OpType::kHardSigmoid || op == OpType::kHardSwish ||
         op == OpType::kRelu || op == OpType::kSigmoid || op == OpType::kSqrt;
}

template <typename T>
Status EvaluateBinary(const NodeShapes& node, std::span<const std::span<const T>> data, std::vector<T>& out) {
  const Dims& dims = node.Out().dims;
  out = BroadcastTo(data[0], node.In(0), dims);
  const std::vector<T> b = BroadcastTo(data[1], node.In(1), dims);
  for (size_t i = 0; i < out.size(); ++i) {
    if (!Binary(node.node().op, out[i], b[i], out[i])) {
      return node.Error("no result for integers ", out[i], " and ", b[i]);
    }
  }
  return Status();
}

template <typename T>
void EvaluateTranspose(const NodeShapes& node, std::span<const T> in, std::vector<T>& out) {
  const Dims dense = StridesOf(node.In(0));
  const std::vector<int64_t>& perm = node.AttrsAs<PermAttrs>().perm;
  Dims strides(dense.size());
  for (size_t i = 0; i < strides.size(); ++i) {
    strides[i] = perm.empty() ? dense[dense.size() - 1 - i] : dense[static_cast<size_t>(perm[i])];
  }
  CopyStrided(in, 0, strides, node.Out().dims, out);
}

template <typename T>
Status EvaluateSlice(const NodeShapes& node, std::span<const T> in, std::vector<T>& out) {
  INKREAD_ASSIGN_OR_RETURN(const std::vector<SliceAxis> slices,
                           ResolveSlice(node.In(0), *node.Ints(1), *node.Ints(2), node.Ints(3), node.Ints(4)));
  Dims strides = StridesOf(node.In(0));
  int64_t offset = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    offset += slices[i].start * strides[i];
    // The step of an axis with one element is not used; it may be any number in the file.
    strides[i] = slices[i].count > 1 ? strides[i] * slices[i].step : 0;
  }
  CopyStrided(in, offset, strides, node.Out().dims, out);
  return Status();
}

// Gather and Concat see a value as [outer, axis, inner]: the axes before theirs, theirs, and the axes after it.
struct AroundAxis {
  size_t axis, outer, inner;
};
AroundAxis Around(const NodeShapes& node, const Dims& dims) {
  const size_t axis = static_cast<size_t>(NormalAxis(node.AttrsAs<AxesAttrs>().axes[0], dims.size()));
  return {axis, Product(std::span(dims).first(axis)), Product(std::span(dims).subspan(axis + 1))};
}

template <typename T>
void EvaluateGather(const NodeShapes& node, std::span<const T> in, std::vector<T>& out) {
  const auto [axis, outer, inner] = Around(node, node.In(0));
  const int64_t length = node.In(0)[axis];
  out.reserve(Product(node.Out().dims));
  for (size_t o = 0; o < outer; ++o) {
    for (int64_t index : *node.Ints(1)) {
      const size_t row = o * static_cast<size_t>(length) + static_cast<size_t>(index < 0 ? index + length : index);
      const auto piece = in.subspan(row * inner, inner);
      out.insert(out.end(), piece.begin(), piece.end());
    }
  }
}

template <typename T>
void EvaluateConcat(const NodeShapes& node, std::span<const std::span<const T>> data, std::vector<T>& out) {
  const auto [axis, outer, inner] = Around(node, node.Out().dims);
  out.reserve(Product(node.Out().dims));
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < data.size(); ++i) {
      const size_t block = static_cast<size_t>(node.In(i)[axis]) * inner;
      const auto piece = data[i].subspan(o * block, block);
      out.insert(out.end(), piece.begin(), piece.end());
    }
  }
}

}  // namespace

bool OnlyReshapes(OpType op) {
  return op == OpType::kIdentity || op == OpType::kReshape || op == OpType::kSqueeze || op == OpType::kUnsqueeze;
}

bool CanEvaluate(OpType op) {
  return IsBinary(op) || IsUnary(op) || OnlyReshapes(op) || op == OpType::kTranspose || op == OpType::kConcat ||
         op == OpType::kSlice || op == OpType::kGather;
}

size_t NumDataInputs(const Node& node) {
  if (IsBinary(node.op)) return 2;
  return node.op == OpType::kConcat ? node.inputs.size() : 1;
}

template <typename T>
Status EvaluateNode(const NodeShapes& node, std::span<const std::span<const T>> data, std::vector<T>& out) {
  const OpType op = node.node().op;
  if (IsBinary(op)) return EvaluateBinary(node, data, out);
  if (op == OpType::kSlice) return EvaluateSlice(node, data[0], out);
  if (OnlyReshapes(op)) {
    out.assign(data[0].begin(), data[0].end());
  } else if (op == OpType::kTranspose) {
    EvaluateTranspose(node, data[0], out);
  } else if (op == OpType::kGather) {
    EvaluateGather(node, data[0], out);
  } else if (op == OpType::kConcat) {
    EvaluateConcat(node, data, out);
  } else if (std::is_same_v<T, float> && IsUnary(op)) {
    const auto& attrs = node.AttrsAs<ScalarAttrs>();
    out.reserve(data[0].size());
    for (T x : data[0]) out.push_back(static_cast<T>(Unary(op, attrs, static_cast<float>(x))));
  } else {
    return node.NotSupported(OpTypeName(op), " of ", std::is_same_v<T, float> ? "a constant" : "integers");
  }
  return Status();
}

template Status EvaluateNode(const NodeShapes&, std::span<const std::span<const float>>, std::vector<float>&);
template Status EvaluateNode(const NodeShapes&, std::span<const std::span<const int64_t>>, std::vector<int64_t>&);

}  // namespace inkread
