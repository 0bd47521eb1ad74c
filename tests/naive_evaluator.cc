#include "tests/naive_evaluator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "graph/shapes.h"

namespace inkread {
namespace {

struct Array {
  Dims dims;
  std::vector<double> v;
};

int64_t Count(const Dims& dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  return count;
}

// The position of an element in a dense array; an index longer than dims is cut at its front, and where a dimension is
// 1 its index counts as 0: numpy's broadcasting.
int64_t Position(const Dims& dims, const Dims& index) {
  int64_t position = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t at = index[index.size() - dims.size() + i];
    position = position * dims[i] + (dims[i] == 1 ? 0 : at);
  }
  return position;
}

// Calls f(index, position) for every element.
void ForEach(const Dims& dims, const std::function<void(const Dims&, int64_t)>& f) {
  Dims index(dims.size(), 0);
  const int64_t count = Count(dims);
  for (int64_t position = 0; position < count; ++position) {
    f(index, position);
    for (size_t i = dims.size(); i-- > 0;) {
      if (++index[i] < dims[i]) break;
      index[i] = 0;
    }
  }
}

int64_t Normal(int64_t axis, size_t rank) { return axis < 0 ? axis + static_cast<int64_t>(rank) : axis; }

template <typename T>
T AttrsOf(const Node& node) {
  const T* attrs = std::get_if<T>(&node.attrs);
  return attrs != nullptr ? *attrs : T{};
}

using Unary = double (*)(double x, const ScalarAttrs& attrs);

// Null for operators that are not a function of one element.
Unary UnaryOf(OpType op) {
  switch (op) {
    case OpType::kRelu:
      return [](double x, const ScalarAttrs&) { return std::max(x, 0.0); };
    case OpType::kSqrt:
      return [](double x, const ScalarAttrs&) { return std::sqrt(x); };
    case OpType::kErf:
      return [](double x, const ScalarAttrs&) { return std::erf(x); };
    case OpType::kSigmoid:
      return [](double x, const ScalarAttrs&) { return 1 / (1 + std::exp(-x)); };
    case OpType::kHardSigmoid:
      return [](double x, const ScalarAttrs& s) { return std::clamp(s.alpha * x + s.beta, 0.0, 1.0); };
    case OpType::kHardSwish:
      return [](double x, const ScalarAttrs&) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); };
    case OpType::kClip:
      return [](double x, const ScalarAttrs& s) { return std::min<double>(std::max<double>(x, s.alpha), s.beta); };
    default:
      return nullptr;
  }
}

using Binary = double (*)(double a, double b);

// Null for operators that are not a function of two elements.
Binary BinaryOf(OpType op) {
  switch (op) {
    case OpType::kAdd:
      return [](double a, double b) { return a + b; };
    case OpType::kSub:
      return [](double a, double b) { return a - b; };
    case OpType::kMul:
      return [](double a, double b) { return a * b; };
    case OpType::kDiv:
      return [](double a, double b) { return a / b; };
    case OpType::kPow:
      return [](double a, double b) { return std::pow(a, b); };
    default:
      return nullptr;
  }
}

class Evaluator {
 public:
  Evaluator(const Graph& graph, std::vector<ValueShape> shapes) : graph_(graph), shapes_(std::move(shapes)) {
    arrays_.resize(graph.values.size());
    for (size_t i = 0; i < graph.values.size(); ++i) {
      const Tensor* t = graph.ConstantOf(static_cast<ValueId>(i));
      if (t == nullptr || t->is_int) continue;
      arrays_[i] = {t->dims, {t->floats.begin(), t->floats.end()}};
    }
  }

  Result<NaiveResult> Run(const Dims& dims, std::span<const float> input) {
    arrays_[graph_.input] = {dims, {input.begin(), input.end()}};
    Measure(arrays_[graph_.input]);
    for (const Node& node : graph_.nodes) {
      if (shapes_[node.output].ints) continue;  // shape rules have computed those
      Array y{shapes_[node.output].dims, {}};
      y.v.resize(Count(y.dims));
      INKREAD_RETURN_IF_ERROR(Evaluate(node, y));
      Measure(y);
      arrays_[node.output] = std::move(y);
    }
    result_.dims = arrays_[graph_.output].dims;
    result_.values = std::move(arrays_[graph_.output].v);
    return std::move(result_);
  }

 private:
  void Measure(const Array& a) {
    for (double v : a.v) result_.magnitude = std::max(result_.magnitude, std::fabs(v));
  }
  // A quotient enlarges earlier roundings where its divisor is computed and small.
  void MeasureDivisor(const Node& node) {
    if (graph_.ConstantOf(node.inputs[1]) != nullptr) return;
    double smallest = std::numeric_limits<double>::infinity();
    for (double v : In(node, 1).v) smallest = std::min(smallest, std::fabs(v));
    result_.gain *= std::max(1.0, 1 / smallest);
  }
  const Array& In(const Node& node, size_t i) const { return arrays_[node.inputs[i]]; }
  bool Has(const Node& node, size_t i) const { return i < node.inputs.size() && node.inputs[i] != kNoValue; }
  const std::vector<int64_t>* Ints(const Node& node, size_t i) const {
    return Has(node, i) && shapes_[node.inputs[i]].ints ? &*shapes_[node.inputs[i]].ints : nullptr;
  }

  Status Evaluate(const Node& node, Array& y) {
    if (const Unary f = UnaryOf(node.op); f != nullptr) {
      ++result_.terms;
      const ScalarAttrs attrs = AttrsOf<ScalarAttrs>(node);
      std::transform(In(node, 0).v.begin(), In(node, 0).v.end(), y.v.begin(), [&](double x) { return f(x, attrs); });
      return Status();
    }
    if (const Binary f = BinaryOf(node.op); f != nullptr) {
      if (node.op == OpType::kDiv) MeasureDivisor(node);
      ++result_.terms;
      const Array &a = In(node, 0), &b = In(node, 1);
      ForEach(y.dims, [&](const Dims& index, int64_t at) {
        y.v[at] = f(a.v[Position(a.dims, index)], b.v[Position(b.dims, index)]);
      });
      return Status();
    }
    switch (node.op) {
      case OpType::kConv:
        return Conv(node, y);
      case OpType::kConvTranspose:
        return ConvTranspose(node, y);
      case OpType::kMaxPool:
      case OpType::kAveragePool:
        return Pool(node, y);
      case OpType::kGlobalAveragePool:
        return Mean(node, {2, 3}, y);
      case OpType::kReduceMean:
        return Mean(node, AttrsOf<AxesAttrs>(node).axes, y);
      case OpType::kBatchNormalization:
        return BatchNormalization(node, y);
      case OpType::kMatMul:
        return MatMul(node, y);
      case OpType::kGemm:
        return Gemm(node, y);
      case OpType::kSoftmax:
        return Softmax(node, y);
      default:
        return Rearrange(node, y);
    }
  }

  // Everything that only moves elements: where each one comes from.
  Status Rearrange(const Node& node, Array& y) {
    switch (node.op) {
      case OpType::kIdentity:
      case OpType::kCast:
      case OpType::kReshape:
      case OpType::kSqueeze:
      case OpType::kUnsqueeze:
        y.v = In(node, 0).v;
        return Status();
      case OpType::kTranspose:
        return Transpose(node, y);
      case OpType::kConcat:
        return Concat(node, y);
      case OpType::kGather:
        return Gather(node, y);
      case OpType::kSlice:
        return Slice(node, y);
      case OpType::kPad:
        return Pad(node, y);
      case OpType::kResize:
        return Resize(node, y);
      default:
        return Unsupported("the naive evaluator has no ", OpTypeName(node.op));
    }
  }

  Status Transpose(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    std::vector<int64_t> perm = AttrsOf<PermAttrs>(node).perm;
    if (perm.empty()) {
      for (int64_t i = static_cast<int64_t>(x.dims.size()) - 1; i >= 0; --i) perm.push_back(i);
    }
    ForEach(y.dims, [&](const Dims& index, int64_t at) {
      Dims from(index.size());
      for (size_t i = 0; i < perm.size(); ++i) from[perm[i]] = index[i];
      y.v[at] = x.v[Position(x.dims, from)];
    });
    return Status();
  }

  Status Concat(const Node& node, Array& y) {
    const int64_t axis = Normal(AttrsOf<AxesAttrs>(node).axes[0], y.dims.size());
    int64_t start = 0;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Array& part = In(node, i);
      ForEach(part.dims, [&](Dims index, int64_t at) {
        index[axis] += start;
        y.v[Position(y.dims, index)] = part.v[at];
      });
      start += part.dims[axis];
    }
    return Status();
  }

  Status Gather(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    const int64_t axis = Normal(AttrsOf<AxesAttrs>(node).axes[0], x.dims.size());
    const size_t index_rank = shapes_[node.inputs[1]].dims.size();
    ForEach(y.dims, [&](const Dims& index, int64_t at) {
      const Dims which(index.begin() + axis, index.begin() + axis + static_cast<int64_t>(index_rank));
      int64_t element = (*Ints(node, 1))[Position(shapes_[node.inputs[1]].dims, which)];
      if (element < 0) element += x.dims[axis];
      Dims from(index.begin(), index.begin() + axis);
      from.push_back(element);
      from.insert(from.end(), index.begin() + axis + static_cast<int64_t>(index_rank), index.end());
      y.v[at] = x.v[Position(x.dims, from)];
    });
    return Status();
  }

  Status Slice(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    INKREAD_ASSIGN_OR_RETURN(const std::vector<SliceAxis> slices,
                             ResolveSlice(x.dims, *Ints(node, 1), *Ints(node, 2), Ints(node, 3), Ints(node, 4)));
    ForEach(y.dims, [&](Dims index, int64_t at) {
      for (size_t i = 0; i < index.size(); ++i) index[i] = slices[i].start + index[i] * slices[i].step;
      y.v[at] = x.v[Position(x.dims, index)];
    });
    return Status();
  }

  Status Pad(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    const double value = Has(node, 2) ? In(node, 2).v[0] : 0;
    ForEach(y.dims, [&](Dims index, int64_t at) {
      bool inside = true;
      for (size_t i = 0; i < index.size(); ++i) {
        index[i] -= (*Ints(node, 1))[i];
        inside = inside && index[i] >= 0 && index[i] < x.dims[i];
      }
      y.v[at] = inside ? x.v[Position(x.dims, index)] : value;
    });
    return Status();
  }

  Status Resize(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    ForEach(y.dims, [&](Dims index, int64_t at) {
      for (size_t i = 0; i < index.size(); ++i) {
        const double scale =
            Has(node, 2) && !Ints(node, 3) ? In(node, 2).v[i] : static_cast<double>(y.dims[i]) / x.dims[i];
        index[i] = std::min(static_cast<int64_t>(std::floor(index[i] / scale)), x.dims[i] - 1);
      }
      y.v[at] = x.v[Position(x.dims, index)];
    });
    return Status();
  }

  Status BatchNormalization(const Node& node, Array& y) {
    ++result_.terms;
    const double epsilon = AttrsOf<ScalarAttrs>(node).alpha;
    const Array &x = In(node, 0), &scale = In(node, 1), &shift = In(node, 2), &mean = In(node, 3),
                &variance = In(node, 4);
    ForEach(y.dims, [&](const Dims& i, int64_t at) {
      const int64_t c = i[1];
      y.v[at] = (x.v[at] - mean.v[c]) / std::sqrt(variance.v[c] + epsilon) * scale.v[c] + shift.v[c];
    });
    return Status();
  }

  Status Conv(const Node& node, Array& y) {
    const WindowAttrs w = AttrsOf<WindowAttrs>(node);
    const Array &x = In(node, 0), &k = In(node, 1);
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(w, 0, x.dims[2]));
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(w, 1, x.dims[3]));
    result_.terms += k.dims[1] * k.dims[2] * k.dims[3] + 1;
    const int64_t group_out = k.dims[0] / w.group;
    ForEach(y.dims, [&](const Dims& o, int64_t at) {
      double sum = Has(node, 2) ? In(node, 2).v[o[1]] : 0;
      for (int64_t i = 0; i < k.dims[1]; ++i) {
        for (int64_t ky = 0; ky < k.dims[2]; ++ky) {
          for (int64_t kx = 0; kx < k.dims[3]; ++kx) {
            const int64_t iy = o[2] * w.stride[0] + ky * w.dilation[0] - rows.pad_begin;
            const int64_t ix = o[3] * w.stride[1] + kx * w.dilation[1] - columns.pad_begin;
            if (iy < 0 || iy >= x.dims[2] || ix < 0 || ix >= x.dims[3]) continue;
            const int64_t channel = o[1] / group_out * k.dims[1] + i;
            sum += x.v[Position(x.dims, {o[0], channel, iy, ix})] * k.v[Position(k.dims, {o[1], i, ky, kx})];
          }
        }
      }
      y.v[at] = sum;
    });
    return Status();
  }

  Status ConvTranspose(const Node& node, Array& y) {
    const WindowAttrs w = AttrsOf<WindowAttrs>(node);
    const Array &x = In(node, 0), &k = In(node, 1);
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveTransposedWindowAxis(w, 0, x.dims[2]));
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveTransposedWindowAxis(w, 1, x.dims[3]));
    result_.terms += x.dims[1] * k.dims[2] * k.dims[3] + 1;
    if (Has(node, 2)) {
      ForEach(y.dims, [&](const Dims& o, int64_t at) { y.v[at] = In(node, 2).v[o[1]]; });
    }
    ForEach(x.dims, [&](const Dims& i, int64_t at) {
      const int64_t group = i[1] / (x.dims[1] / w.group);
      for (int64_t o = 0; o < k.dims[1]; ++o) {
        for (int64_t ky = 0; ky < k.dims[2]; ++ky) {
          for (int64_t kx = 0; kx < k.dims[3]; ++kx) {
            const int64_t oy = i[2] * w.stride[0] + ky * w.dilation[0] - rows.pad_begin;
            const int64_t ox = i[3] * w.stride[1] + kx * w.dilation[1] - columns.pad_begin;
            if (oy < 0 || oy >= y.dims[2] || ox < 0 || ox >= y.dims[3]) continue;
            y.v[Position(y.dims, {i[0], group * k.dims[1] + o, oy, ox})] +=
                x.v[at] * k.v[Position(k.dims, {i[1], o, ky, kx})];
          }
        }
      }
    });
    return Status();
  }

  Status Pool(const Node& node, Array& y) {
    const WindowAttrs w = AttrsOf<WindowAttrs>(node);
    const Array& x = In(node, 0);
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis rows, ResolveWindowAxis(w, 0, x.dims[2]));
    INKREAD_ASSIGN_OR_RETURN(const WindowAxis columns, ResolveWindowAxis(w, 1, x.dims[3]));
    result_.terms += w.kernel[0] * w.kernel[1];
    ForEach(y.dims, [&](const Dims& o, int64_t at) {
      double largest = -std::numeric_limits<double>::infinity(), sum = 0;
      int64_t cells = 0;
      for (int64_t ky = 0; ky < w.kernel[0]; ++ky) {
        for (int64_t kx = 0; kx < w.kernel[1]; ++kx) {
          const int64_t iy = o[2] * w.stride[0] + ky * w.dilation[0] - rows.pad_begin;
          const int64_t ix = o[3] * w.stride[1] + kx * w.dilation[1] - columns.pad_begin;
          if (iy < 0 || iy >= x.dims[2] || ix < 0 || ix >= x.dims[3]) {
            // Cells in the padding may count for a mean; cells beyond it (ceil_mode) never do.
            const bool in_padding = iy >= -rows.pad_begin && iy < x.dims[2] + rows.pad_end &&
                                    ix >= -columns.pad_begin && ix < x.dims[3] + columns.pad_end;
            if (w.count_include_pad && in_padding) ++cells;
            continue;
          }
          const double v = x.v[Position(x.dims, {o[0], o[1], iy, ix})];
          largest = std::max(largest, v);
          sum += v;
          ++cells;
        }
      }
      y.v[at] = node.op == OpType::kMaxPool ? largest : sum / static_cast<double>(cells);
    });
    return Status();
  }

  Status Mean(const Node& node, std::vector<int64_t> axes, Array& y) {
    const Array& x = In(node, 0);
    if (axes.empty()) {
      for (size_t i = 0; i < x.dims.size(); ++i) axes.push_back(static_cast<int64_t>(i));
    }
    Dims kept = x.dims;
    int64_t count = 1;
    for (int64_t axis : axes) {
      count *= x.dims[Normal(axis, x.dims.size())];
      kept[Normal(axis, x.dims.size())] = 1;
    }
    result_.terms += count;
    ForEach(x.dims,
            [&](const Dims& index, int64_t at) { y.v[Position(kept, index)] += x.v[at] / static_cast<double>(count); });
    return Status();
  }

  Status MatMul(const Node& node, Array& y) {
    const Array &a = In(node, 0), &b = In(node, 1);
    const int64_t depth = a.dims.back();
    result_.terms += depth + 1;
    ForEach(y.dims, [&](const Dims& index, int64_t at) {
      Dims from_a = index, from_b = index;
      for (int64_t k = 0; k < depth; ++k) {
        from_a.back() = k;
        from_b[index.size() - 2] = k;
        y.v[at] += a.v[Position(a.dims, from_a)] * b.v[Position(b.dims, from_b)];
      }
      if (Has(node, 2)) y.v[at] += In(node, 2).v[index.back()];
    });
    return Status();
  }

  Status Gemm(const Node& node, Array& y) {
    const GemmAttrs g = AttrsOf<GemmAttrs>(node);
    const Array &a = In(node, 0), &b = In(node, 1);
    const int64_t depth = a.dims[g.trans_a ? 0 : 1];
    result_.terms += depth + 1;
    ForEach(y.dims, [&](const Dims& index, int64_t at) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum += a.v[Position(a.dims, g.trans_a ? Dims{k, index[0]} : Dims{index[0], k})] *
               b.v[Position(b.dims, g.trans_b ? Dims{index[1], k} : Dims{k, index[1]})];
      }
      y.v[at] = g.alpha * sum;
      if (Has(node, 2)) y.v[at] += g.beta * In(node, 2).v[Position(In(node, 2).dims, index)];
    });
    return Status();
  }

  Status Softmax(const Node& node, Array& y) {
    const Array& x = In(node, 0);
    const int64_t axis = Normal(AttrsOf<AxesAttrs>(node).axes[0], x.dims.size());
    Dims rows = x.dims;
    rows[axis] = 1;
    std::vector<double> largest(Count(rows), -std::numeric_limits<double>::infinity()), sum(Count(rows), 0);
    result_.terms += x.dims[axis];
    ForEach(x.dims, [&](const Dims& i, int64_t at) {
      double& top = largest[Position(rows, i)];
      top = std::max(top, x.v[at]);
    });
    ForEach(x.dims, [&](const Dims& i, int64_t at) {
      y.v[at] = std::exp(x.v[at] - largest[Position(rows, i)]);
      sum[Position(rows, i)] += y.v[at];
    });
    ForEach(x.dims, [&](const Dims& i, int64_t at) { y.v[at] /= sum[Position(rows, i)]; });
    return Status();
  }

  const Graph& graph_;
  std::vector<ValueShape> shapes_;
  std::vector<Array> arrays_;  // by value; floats only
  NaiveResult result_;
};

}  // namespace

Result<NaiveResult> EvaluateNaively(const Graph& graph, const Dims& input_dims, std::span<const float> input) {
  INKREAD_ASSIGN_OR_RETURN(std::vector<ValueShape> shapes, InferShapes(graph, input_dims));
  return Evaluator(graph, std::move(shapes)).Run(input_dims, input);
}

}  // namespace inkread
