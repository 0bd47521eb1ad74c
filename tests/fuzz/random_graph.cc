#include "tests/fuzz/random_graph.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "graph/graph_builder.h"
#include "graph/passes.h"
#include "graph/shapes.h"

namespace inkread {
namespace {

class Choices {
 public:
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes) {
    std::seed_seq seed(bytes.begin(), bytes.end());
    random_.seed(seed);
  }
  // 0 to n - 1; n <= 256
  int Below(int n) {
    const unsigned byte = next_ < bytes_.size() && bytes_.size() > 16 ? bytes_[next_++] : random_();
    return static_cast<int>((byte & 0xFF) % static_cast<unsigned>(n));
  }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool Chance(int percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int>(values.size()))];
  }
  // Weights are not choices: they come from the generator alone.
  float Weight(float scale) { return std::uniform_real_distribution<float>(-scale, scale)(random_); }

 private:
  std::span<const uint8_t> bytes_;
  size_t next_ = 0;
  std::mt19937 random_;
};

class Maker {
 public:
  explicit Maker(std::span<const uint8_t> bytes) : choose_(bytes) {}

  RandomGraph Make() {
    const Dims dims = {choose_.Between(1, 3), choose_.Between(1, 9), choose_.Between(1, 13), choose_.Between(1, 13)};
    Dims declared = dims;
    const bool is_free = choose_.Chance(60);
    if (is_free) declared[0] = declared[2] = declared[3] = -1;
    input_ = b_.Input(declared);
    dims_[input_] = dims;
    dims_list_.push_back(input_);
    const int num_pieces = choose_.Between(1, 10);
    for (int i = 0; i < num_pieces; ++i) Piece();
    if (choose_.Chance(15)) CtcTail();
    ValueId output = choose_.Chance(90) ? dims_list_.back() : Any();
    if (output == input_) output = Unary(OpType::kRelu, output);
    RandomGraph made{b_.Output(output), {dims}};
    made.graph.file = "random.onnx";
    Prune(made.graph);  // what nothing reads may be of any shape
    if (is_free) {
      made.input_dims.push_back({choose_.Between(1, 2), dims[1], choose_.Between(1, 20), choose_.Between(1, 20)});
    }
    return made;
  }

 private:
  const Dims& D(ValueId v) const { return dims_.at(v); }

  ValueId Add(OpType op, std::vector<ValueId> inputs, Dims dims, Attrs attrs = {}) {
    const ValueId v = b_.Node(op, std::move(inputs), std::move(attrs));
    dims_[v] = std::move(dims);
    dims_list_.push_back(v);
    return v;
  }
  ValueId Unary(OpType op, ValueId x, Attrs attrs = {}) { return Add(op, {x}, D(x), std::move(attrs)); }
  ValueId Binary(OpType op, ValueId a, ValueId b, ValueId like) {
    if (op != OpType::kSub && op != OpType::kDiv && op != OpType::kPow && choose_.Chance(50)) std::swap(a, b);
    return Add(op, {a, b}, D(like));
  }
  ValueId Scalar(float value) { return choose_.Chance(50) ? b_.Scalar(value) : b_.Floats({1}, value); }
  ValueId Weights(Dims dims, float scale) {
    int64_t count = 1;
    for (int64_t d : dims) count *= d;
    std::vector<float> values(count);
    for (float& v : values) v = choose_.Weight(scale);
    return b_.Floats(std::move(dims), std::move(values));
  }

  // A value, later ones more often; with the given rank where there is one.
  ValueId Any(size_t rank = 0) {
    std::vector<ValueId> fit;
    for (ValueId v : dims_list_) {
      if (rank == 0 || D(v).size() == rank) fit.push_back(v);
    }
    if (fit.empty()) return kNoValue;
    if (choose_.Chance(60)) return fit.back();
    return fit[choose_.Below(static_cast<int>(std::min<size_t>(fit.size(), 256)))];
  }
  ValueId OtherWith(const Dims& dims, ValueId besides) {
    std::vector<ValueId> fit;
    for (ValueId v : dims_list_) {
      if (D(v) == dims && v != besides) fit.push_back(v);
    }
    return fit.empty() ? kNoValue : fit[choose_.Below(static_cast<int>(fit.size()))];
  }

  void Piece() {
    const ValueId x = Any(choose_.Chance(75) ? 4 : 0);
    if (D(x).size() == 4) {
      switch (choose_.Below(22)) {
        case 0:
        case 1:
        case 2:
          Conv(x);
          return;
        case 3:
          Depthwise(x);
          return;
        case 4:
          ConvTranspose(x);
          return;
        case 5:
          Pool(x);
          return;
        case 6:
          Means(x);
          return;
        case 7:
          SqueezeExcite(x);
          return;
        case 8:
        case 9:
          Concat(x);
          return;
        case 10:
          Resize(x);
          return;
        case 11:
          ParallelConvs(x);
          return;
        case 12:
          Gate(x);
          return;
        default:
          break;
      }
    }
    switch (choose_.Below(9)) {
      case 0:
      case 1:
        Activation(x);
        return;
      case 2:
        Sum(x);
        return;
      case 3:
        ChannelConstant(x);
        return;
      case 4:
        MatMul(x);
        return;
      case 5:
        View(x);
        return;
      case 6:
        if (choose_.Chance(50)) {
          Softmax(x);
        } else {
          LayerNorm(x);
        }
        return;
      case 7:
        Attention(x);
        return;
      default:
        NearMiss(x);
        return;
    }
  }

  int64_t Pooled(const WindowAttrs& w, int axis, int64_t in) {
    const auto resolved = ResolveWindowAxis(w, axis, in);
    return resolved.ok() ? resolved->out : 0;
  }

  // A window that fits into x; rarely one that no kernel has.
  WindowAttrs Window(const Dims& d) {
    WindowAttrs w;
    w.kernel = {choose_.OneOf({1, 1, 2, 3, 3, 5, 7}), choose_.OneOf({1, 1, 2, 3, 3, 5, 7})};
    w.stride = {choose_.OneOf({1, 1, 1, 2, 3}), choose_.OneOf({1, 1, 1, 2, 3})};
    if (choose_.Chance(70)) {
      w.pads = {w.kernel[0] / 2, w.kernel[1] / 2, w.kernel[0] / 2, w.kernel[1] / 2};
    } else if (choose_.Chance(40)) {
      w.auto_pad = choose_.OneOf({AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid});
    } else {
      for (int i = 0; i < 4; ++i) w.pads[i] = choose_.Below(static_cast<int>(w.kernel[i % 2]));
    }
    if (choose_.Chance(3)) w.dilation = {2, 1};
    for (int axis = 0; axis < 2; ++axis) {
      if (Pooled(w, axis, d[2 + axis]) >= 1) continue;
      w.kernel[axis] = w.stride[axis] = 1;
      w.pads[axis] = w.pads[axis + 2] = 0;
      w.dilation[axis] = 1;
    }
    return w;
  }

  ValueId ConvWith(ValueId x, const WindowAttrs& w, int64_t oc, bool bias) {
    const Dims& d = D(x);
    const int64_t ic = d[1] / w.group;
    const float scale = 1.5f / std::sqrt(static_cast<float>(ic * w.kernel[0] * w.kernel[1]));
    std::vector<ValueId> inputs = {x, Weights({oc, ic, w.kernel[0], w.kernel[1]}, scale)};
    if (bias) inputs.push_back(Weights({oc}, 0.5f));
    return Add(OpType::kConv, inputs, {d[0], oc, Pooled(w, 0, d[2]), Pooled(w, 1, d[3])}, w);
  }

  void Conv(ValueId x) {
    // Padding of its own, as PyTorch exports it.
    if (choose_.Chance(15)) x = Padded(x);
    WindowAttrs w = Window(D(x));
    if (choose_.Chance(3) && D(x)[1] % 2 == 0) w.group = 2;
    const int64_t oc = w.group * choose_.Between(1, 10);
    AfterConv(ConvWith(x, w, oc, choose_.Chance(70)), oc);
  }

  ValueId Padded(ValueId x) {
    const int64_t t = choose_.Below(3), l = choose_.Below(3), bottom = choose_.Below(3), r = choose_.Below(3);
    const Dims& d = D(x);
    std::vector<ValueId> inputs = {x, b_.Ints({0, 0, t, l, 0, 0, bottom, r})};
    if (choose_.Chance(50)) inputs.push_back(b_.Scalar(choose_.Chance(85) ? 0.0f : 0.5f));
    return Add(OpType::kPad, inputs, {d[0], d[1], d[2] + t + bottom, d[3] + l + r});
  }

  // What exporters leave behind a Conv: a bias of its own, BatchNormalization, an activation.
  void AfterConv(ValueId y, int64_t channels) {
    if (choose_.Chance(15)) y = Binary(OpType::kAdd, y, Weights({1, channels, 1, 1}, 1), y);
    if (choose_.Chance(20)) {
      std::vector<float> variance(channels);
      for (float& v : variance) v = 1.0f + choose_.Weight(0.5f);
      ScalarAttrs epsilon;
      epsilon.alpha = 1e-5f;
      y = Add(
          OpType::kBatchNormalization,
          {y, Weights({channels}, 1), Weights({channels}, 1), Weights({channels}, 1), b_.Floats({channels}, variance)},
          D(y), epsilon);
    }
    if (choose_.Chance(45)) Activation(y);
  }

  void Depthwise(ValueId x) {
    WindowAttrs w = Window(D(x));
    w.group = D(x)[1];
    AfterConv(ConvWith(x, w, w.group, choose_.Chance(60)), w.group);
  }

  void ConvTranspose(ValueId x) {
    const Dims& d = D(x);
    if (d[2] > 20 || d[3] > 20) return;
    WindowAttrs w;
    w.kernel = {choose_.Between(1, 3), choose_.Between(1, 3)};
    w.stride = w.kernel;
    if (choose_.Chance(5)) w.stride = {1, 1};
    const int64_t oc = choose_.Between(1, 7);
    std::vector<ValueId> inputs = {x, Weights({d[1], oc, w.kernel[0], w.kernel[1]}, 0.5f)};
    if (choose_.Chance(60)) inputs.push_back(Weights({oc}, 1));
    const auto side = [&](int axis) { return (d[2 + axis] - 1) * w.stride[axis] + w.kernel[axis]; };
    AfterConv(Add(OpType::kConvTranspose, inputs, {d[0], oc, side(0), side(1)}, w), oc);
  }

  void Pool(ValueId x) {
    if (choose_.Chance(15)) x = Padded(x);
    WindowAttrs w = Window(D(x));
    w.ceil_mode = choose_.Chance(25);
    const bool mean = choose_.Chance(50);
    if (mean) w.count_include_pad = choose_.Chance(40);
    const Dims& d = D(x);
    const Dims out = {d[0], d[1], Pooled(w, 0, d[2]), Pooled(w, 1, d[3])};
    Add(mean ? OpType::kAveragePool : OpType::kMaxPool, {x}, out, w);
  }

  ValueId GlobalMean(ValueId x) {
    const Dims out = {D(x)[0], D(x)[1], 1, 1};
    if (choose_.Chance(50)) return Add(OpType::kGlobalAveragePool, {x}, out);
    return Add(OpType::kReduceMean, {x}, out, AxesAttrs{{2, 3}, true, false});
  }

  void Means(ValueId x) {
    if (choose_.Chance(50)) {
      GlobalMean(x);
    } else {
      Add(OpType::kReduceMean, {x}, {D(x)[0], D(x)[1]}, AxesAttrs{{2, 3}, false, false});
    }
  }

  void SqueezeExcite(ValueId x) {
    const int64_t c = D(x)[1];
    const ValueId means = GlobalMean(x);
    ValueId m = ConvWith(means, {}, choose_.Between(1, 6), choose_.Chance(90));
    m = Unary(OpType::kRelu, m);
    m = ConvWith(m, {}, c, choose_.Chance(90));
    const ValueId gate =
        choose_.Chance(80) ? Unary(OpType::kHardSigmoid, m, ScalarAttrs{0.2f, 0.5f, 0}) : Unary(OpType::kSigmoid, m);
    if (choose_.Chance(10)) Unary(OpType::kRelu, gate);
    const ValueId product = Binary(OpType::kMul, x, gate, x);
    if (choose_.Chance(50)) Binary(OpType::kAdd, product, choose_.Chance(90) ? x : gate, x);
  }

  void Gate(ValueId x) {
    const ValueId gate = OtherWith({D(x)[0], D(x)[1], 1, 1}, x);
    if (gate != kNoValue) {
      Binary(OpType::kMul, x, gate, x);
    } else {
      const ValueId means = GlobalMean(x);
      Binary(OpType::kMul, x, means, x);
    }
  }

  void Concat(ValueId x) {
    std::vector<ValueId> parts = {x};
    Dims out = D(x);
    for (int more = choose_.Between(0, 3); more > 0; --more) {
      std::vector<ValueId> fit;
      for (ValueId v : dims_list_) {
        const Dims& d = D(v);
        if (d.size() == 4 && d[0] == out[0] && d[2] == out[2] && d[3] == out[3]) fit.push_back(v);
      }
      parts.push_back(fit[choose_.Below(static_cast<int>(fit.size()))]);
      out[1] += D(parts.back())[1];
    }
    if (out[1] > 40) return;
    if (choose_.Chance(50)) std::reverse(parts.begin(), parts.end());
    Add(OpType::kConcat, parts, out, AxesAttrs{{choose_.Chance(80) ? 1 : -3}, true, false});
  }

  void Resize(ValueId x) {
    const Dims& d = D(x);
    if (d[2] > 20 || d[3] > 20) return;
    const int64_t sh = choose_.Between(1, 3), sw = choose_.Between(1, 3);
    const Dims out = {d[0], d[1], d[2] * sh, d[3] * sw};
    const ResizeAttrs attrs{choose_.Chance(95)};
    if (choose_.Chance(80)) {
      const float odd = choose_.Chance(5) ? 0.3f / static_cast<float>(d[2]) : 0.0f;
      const ValueId scales = b_.Floats({4}, {1, 1, static_cast<float>(sh) + odd, static_cast<float>(sw)});
      Add(OpType::kResize, {x, kNoValue, scales}, out, attrs);
    } else {
      Add(OpType::kResize, {x, kNoValue, kNoValue, b_.Ints(out)}, out, attrs);
    }
  }

  void ParallelConvs(ValueId x) {
    const int64_t oc = choose_.Between(1, 6);
    ValueId sum = kNoValue;
    for (int i = 0; i < 2; ++i) {
      WindowAttrs w;
      w.kernel = {choose_.OneOf({1, 3, 5}), choose_.OneOf({1, 3, 5})};
      w.pads = {w.kernel[0] / 2, w.kernel[1] / 2, w.kernel[0] / 2, w.kernel[1] / 2};
      const ValueId y = ConvWith(x, w, oc, choose_.Chance(90));
      if (choose_.Chance(10)) Unary(OpType::kRelu, y);
      sum = sum == kNoValue ? y : Binary(OpType::kAdd, sum, y, y);
    }
    if (choose_.Chance(50)) Activation(sum);
  }

  void Activation(ValueId x) {
    switch (choose_.Below(9)) {
      case 0:
        Unary(OpType::kRelu, x);
        return;
      case 1:
        Unary(OpType::kSigmoid, x);
        return;
      case 2:
        Unary(OpType::kHardSigmoid, x, ScalarAttrs{0.2f, 0.5f, 0});
        return;
      case 3:
        Unary(OpType::kHardSwish, x);
        return;
      case 4:
        Unary(OpType::kClip, x, ScalarAttrs{choose_.OneOf({0.0f, -0.5f}), choose_.OneOf({6.0f, 0.5f}), 0});
        return;
      case 5: {  // swish
        const ValueId s = Unary(OpType::kSigmoid, x);
        Binary(OpType::kMul, x, s, x);
        return;
      }
      case 6: {  // hard swish, in two spellings
        if (choose_.Chance(50)) {
          const ValueId s = Unary(OpType::kHardSigmoid, x, ScalarAttrs{1 / 6.0f, 0.5f, 0});
          Binary(OpType::kMul, x, s, x);
          return;
        }
        const ValueId sum = Binary(OpType::kAdd, x, Scalar(3), x);
        const ValueId clip = Unary(OpType::kClip, sum, ScalarAttrs{0, 6, 0});
        const ValueId product = Binary(OpType::kMul, x, clip, x);
        if (choose_.Chance(50)) {
          Binary(OpType::kDiv, product, Scalar(6), x);
        } else {
          Binary(OpType::kMul, product, Scalar(1 / 6.0f), x);
        }
        return;
      }
      default:
        Gelu(x);
        return;
    }
  }

  void Gelu(ValueId x) {
    const float root = std::sqrt(2.0f);
    const ValueId q =
        choose_.Chance(50) ? Binary(OpType::kDiv, x, Scalar(root), x) : Binary(OpType::kMul, x, Scalar(1 / root), x);
    const ValueId e = Unary(OpType::kErf, q);
    const ValueId sum = Binary(OpType::kAdd, e, Scalar(1), x);
    switch (choose_.Below(4)) {
      case 0: {
        const ValueId product = Binary(OpType::kMul, x, sum, x);
        Binary(OpType::kMul, product, Scalar(0.5f), x);
        return;
      }
      case 1: {
        const ValueId product = Binary(OpType::kMul, sum, Scalar(0.5f), x);
        Binary(OpType::kMul, x, product, x);
        return;
      }
      case 2: {
        const ValueId half = Binary(OpType::kMul, x, Scalar(0.5f), x);
        Binary(OpType::kMul, half, sum, x);
        return;
      }
      default: {  // the half lies in the next weights
        const ValueId product = Binary(OpType::kMul, x, sum, x);
        if (D(x).size() == 4) {
          ConvWith(product, {}, choose_.Between(1, 6), true);
        } else {
          MatMul(product);
        }
        return;
      }
    }
  }

  void Sum(ValueId x) {
    const ValueId other = OtherWith(D(x), choose_.Chance(95) ? x : kNoValue);
    if (other != kNoValue) Binary(OpType::kAdd, x, other, x);
  }

  void ChannelConstant(ValueId x) {
    const Dims& d = D(x);
    if (d.size() == 4) {
      const bool short_form = choose_.Chance(30);
      Binary(OpType::kAdd, x, Weights(short_form ? Dims{d[1], 1, 1} : Dims{1, d[1], 1, 1}, 1), x);
    } else {
      Binary(OpType::kAdd, x, Weights({d.back()}, 1), x);
    }
  }

  void MatMul(ValueId x) {
    const Dims& d = D(x);
    if (d.size() < 2) return;
    const int64_t ic = d.back(), oc = choose_.Between(1, 12);
    Dims out = d;
    out.back() = oc;
    const float scale = 1.5f / std::sqrt(static_cast<float>(ic));
    if (d.size() == 2 && choose_.Chance(50)) {
      const bool transposed = choose_.Chance(50);
      Add(OpType::kGemm, {x, Weights(transposed ? Dims{oc, ic} : Dims{ic, oc}, scale), Weights({oc}, 1)}, out,
          GemmAttrs{1, 1, false, transposed});
      return;
    }
    const ValueId y = Add(OpType::kMatMul, {x, Weights({ic, oc}, scale)}, out);
    if (choose_.Chance(60)) Binary(OpType::kAdd, y, Weights({oc}, 1), y);
  }

  void Softmax(ValueId x) {
    const int64_t rank = static_cast<int64_t>(D(x).size());
    Unary(OpType::kSoftmax, x, AxesAttrs{{choose_.Chance(85) ? (choose_.Chance(50) ? -1 : rank - 1) : 0}, true, false});
  }

  void LayerNorm(ValueId x) {
    const Dims& d = D(x);
    Dims kept = d;
    kept.back() = 1;
    const AxesAttrs last{{-1}, true, false};
    const ValueId mean = Add(OpType::kReduceMean, {x}, kept, last);
    const ValueId deviation = Binary(OpType::kSub, x, mean, x);
    const ValueId square = choose_.Chance(50) ? Binary(OpType::kPow, deviation, Scalar(2), x)
                                              : Binary(OpType::kMul, deviation, deviation, x);
    const ValueId variance = Add(OpType::kReduceMean, {square}, kept, last);
    const ValueId sum = Binary(OpType::kAdd, variance, Scalar(choose_.OneOf({1e-5f, 1e-6f, 0.1f})), variance);
    const ValueId root = Unary(OpType::kSqrt, sum);
    ValueId y = Binary(OpType::kDiv, deviation, root, x);
    if (choose_.Chance(80)) y = Binary(OpType::kMul, y, Weights({d.back()}, 1), x);
    if (choose_.Chance(80)) y = Binary(OpType::kAdd, y, Weights({d.back()}, 1), x);
  }

  // Self-attention over [n, t, c].
  void Attention(ValueId x) {
    if (D(x).size() == 4) {  // lines of pixels first
      const Dims d = D(x);
      x = Add(OpType::kReshape, {x, b_.Ints({0, d[1], -1})}, {d[0], d[1], d[2] * d[3]});
      x = Add(OpType::kTranspose, {x}, {d[0], d[2] * d[3], d[1]}, PermAttrs{{0, 2, 1}});
    }
    if (D(x).size() != 3) return;
    const int64_t n = D(x)[0], t = D(x)[1], heads = choose_.Between(1, 3), size = choose_.Between(1, 4);
    const int64_t c = heads * size;
    const ValueId projection = Add(OpType::kMatMul, {x, Weights({D(x)[2], 3 * c}, 0.7f)}, {n, t, 3 * c});
    const ValueId split = Add(OpType::kReshape, {projection, b_.Ints({0, -1, 3, heads, size})}, {n, t, 3, heads, size});
    const ValueId turned = Add(OpType::kTranspose, {split}, {3, n, heads, t, size}, PermAttrs{{2, 0, 3, 1, 4}});
    const auto part = [&](int64_t i) {
      const Dims dims = {n, heads, t, size};
      if (choose_.Chance(50)) {
        return Add(OpType::kGather, {turned, b_.Constant(Tensor::FromInts({}, {i}))}, dims,
                   AxesAttrs{{0}, true, false});
      }
      const ValueId slice =
          Add(OpType::kSlice, {turned, b_.Ints({i}), b_.Ints({i + 1}), b_.Ints({0})}, {1, n, heads, t, size});
      return Add(OpType::kSqueeze, {slice}, dims, AxesAttrs{{0}, true, false});
    };
    ValueId q = part(0), k = part(1), v = part(2);
    const float scale = choose_.OneOf({0.5f, 0.7f});
    const int scaled = choose_.Below(4);
    if (scaled == 0) q = Binary(OpType::kMul, q, Scalar(scale), q);
    if (scaled == 1) k = Binary(OpType::kMul, k, Scalar(scale), k);
    const ValueId transposed = Add(OpType::kTranspose, {k}, {n, heads, size, t}, PermAttrs{{0, 1, 3, 2}});
    ValueId scores = Add(OpType::kMatMul, {q, transposed}, {n, heads, t, t});
    if (scaled == 2) scores = Binary(OpType::kMul, scores, Scalar(scale), scores);
    const ValueId shares = Unary(OpType::kSoftmax, scores, AxesAttrs{{choose_.Chance(90) ? -1 : 2}, true, false});
    const ValueId y = Add(OpType::kMatMul, {shares, v}, {n, heads, t, size});
    const ValueId back = Add(OpType::kTranspose, {y}, {n, t, heads, size}, PermAttrs{{0, 2, 1, 3}});
    Add(OpType::kReshape, {back, b_.Ints({0, -1, c})}, {n, t, c});
  }

  void View(ValueId x) {
    const Dims d = D(x);
    const int64_t rank = static_cast<int64_t>(d.size());
    switch (choose_.Below(7)) {
      case 0: {  // a transpose
        std::vector<int64_t> perm(rank);
        for (int64_t i = 0; i < rank; ++i) perm[i] = i;
        for (int64_t i = rank - 1; i > 0; --i) std::swap(perm[i], perm[choose_.Below(static_cast<int>(i + 1))]);
        if (choose_.Chance(10)) {
          Add(OpType::kTranspose, {x}, {d.rbegin(), d.rend()}, PermAttrs{});
          return;
        }
        Dims out;
        for (int64_t axis : perm) out.push_back(d[axis]);
        Add(OpType::kTranspose, {x}, out, PermAttrs{perm});
        return;
      }
      case 1: {  // [n, c, h, w] to [n, c, h * w] and the like
        if (rank < 3) return;
        const int64_t at = choose_.Below(static_cast<int>(rank - 1));
        Dims out, target;
        for (int64_t i = 0; i < rank; ++i) {
          if (i == at + 1) continue;
          out.push_back(i == at ? d[i] * d[i + 1] : d[i]);
          target.push_back(i == at ? -1 : i < at ? 0 : d[i]);
        }
        Add(OpType::kReshape, {x, b_.Ints(target)}, out);
        return;
      }
      case 2: {  // one axis cut in two
        const int64_t at = choose_.Below(static_cast<int>(rank));
        const int64_t part = choose_.OneOf({1, 2, 3});
        if (d[at] % part != 0 || rank > 5) return;
        Dims out, target;
        for (int64_t i = 0; i < rank; ++i) {
          if (i == at) {
            out.push_back(d[i] / part);
            target.push_back(-1);
            out.push_back(part);
            target.push_back(part);
          } else {
            out.push_back(d[i]);
            target.push_back(i < at ? 0 : d[i]);
          }
        }
        Add(OpType::kReshape, {x, b_.Ints(target)}, out);
        return;
      }
      case 3: {
        const int64_t at = choose_.Below(static_cast<int>(rank + 1));
        if (rank > 5) return;
        Dims out = d;
        out.insert(out.begin() + at, 1);
        Add(OpType::kUnsqueeze, {x}, out, AxesAttrs{{at}, true, false});
        return;
      }
      case 4: {
        for (int64_t at = 0; at < rank; ++at) {
          if (d[at] != 1 || choose_.Chance(40)) continue;
          Dims out = d;
          out.erase(out.begin() + at);
          Add(OpType::kSqueeze, {x}, out, AxesAttrs{{choose_.Chance(50) ? at : at - rank}, true, false});
          return;
        }
        return;
      }
      case 5: {
        const int64_t axis = choose_.Below(static_cast<int>(rank));
        const int64_t start = choose_.Below(static_cast<int>(std::min<int64_t>(d[axis], 200)));
        const int64_t end = start + 1 + choose_.Below(static_cast<int>(std::min<int64_t>(d[axis] - start, 200)));
        Dims out = d;
        out[axis] = end - start;
        const bool backwards = choose_.Chance(30);
        std::vector<ValueId> inputs = {x, b_.Ints({backwards ? start - d[axis] : start}),
                                       b_.Ints({end == d[axis] ? INT64_MAX : end}), b_.Ints({axis})};
        if (choose_.Chance(30)) inputs.push_back(b_.Ints({1}));
        if (axis == 0 && choose_.Chance(50)) inputs = {x, b_.Ints({start}), b_.Ints({end}), kNoValue, b_.Ints({1})};
        Add(OpType::kSlice, inputs, out);
        return;
      }
      default: {
        const int64_t axis = choose_.Below(static_cast<int>(rank));
        const int64_t at = choose_.Below(static_cast<int>(std::min<int64_t>(d[axis], 200)));
        Dims out = d;
        out.erase(out.begin() + axis);
        const int64_t written = choose_.Chance(30) ? at - d[axis] : at;
        if (out.size() < 2) return;
        Add(OpType::kGather, {x, b_.Constant(Tensor::FromInts({}, {written}))}, out,
            AxesAttrs{{choose_.Chance(50) ? axis : axis - rank}, true, false});
        return;
      }
    }
  }

  // What looks like a pattern and is none, or has no kernel.
  void NearMiss(ValueId x) {
    switch (choose_.Below(7)) {
      case 0:
        Binary(OpType::kAdd, x, Scalar(choose_.Chance(50) ? 0.0f : 0.25f), x);
        return;
      case 1:
        Binary(OpType::kMul, x, Scalar(choose_.Chance(50) ? 1.0f : 0.25f), x);
        return;
      case 2: {  // the middle of a swish is read elsewhere too
        const ValueId s = Unary(OpType::kSigmoid, x);
        const ValueId y = Binary(OpType::kMul, x, s, x);
        Binary(OpType::kAdd, y, s, x);
        return;
      }
      case 3: {  // a gate of its own
        const ValueId s = Unary(OpType::kSigmoid, x);
        const ValueId r = Unary(OpType::kRelu, x);
        Binary(OpType::kMul, r, s, x);
        return;
      }
      case 4:
        Binary(OpType::kSub, x, Scalar(0), x);
        return;
      case 5: {  // one value in two sums
        const ValueId r = Unary(OpType::kRelu, x);
        const ValueId s = Unary(OpType::kSigmoid, x);
        const ValueId sum = Binary(OpType::kAdd, r, s, x);
        Binary(OpType::kAdd, sum, r, x);
        return;
      }
      default:  // a broadcast that is no gate
        if (D(x).size() == 4) {
          const ValueId row =
              Add(OpType::kReduceMean, {x}, {D(x)[0], D(x)[1], D(x)[2], 1}, AxesAttrs{{3}, true, false});
          Binary(OpType::kMul, x, row, x);
        }
        return;
    }
  }

  // [n, t, c], a product, a Softmax: what ctc_head takes.
  void CtcTail() {
    ValueId x = Any(3);
    if (x == kNoValue) {
      x = Any(4);
      const Dims d = D(x);
      x = Add(OpType::kReshape, {x, b_.Ints({0, d[1], -1})}, {d[0], d[1], d[2] * d[3]});
      x = Add(OpType::kTranspose, {x}, {d[0], d[2] * d[3], d[1]}, PermAttrs{{0, 2, 1}});
    }
    const Dims d = D(x);
    const int64_t classes = choose_.Between(2, 40);
    ValueId y = Add(OpType::kMatMul, {x, Weights({d[2], classes}, 1)}, {d[0], d[1], classes});
    if (choose_.Chance(80)) y = Binary(OpType::kAdd, y, Weights({classes}, 1), y);
    Unary(OpType::kSoftmax, y, AxesAttrs{{2}, true, false});
  }

  Choices choose_;
  GraphBuilder b_;
  ValueId input_ = kNoValue;
  std::map<ValueId, Dims> dims_;
  std::vector<ValueId> dims_list_;
};

}  // namespace

RandomGraph MakeRandomGraph(std::span<const uint8_t> bytes) { return Maker(bytes).Make(); }

std::string PrintGraph(const Graph& graph, const Dims& input_dims) {
  std::string text =
      StrCat("input ", graph.input, " ", DimsToString(graph.input_dims), ", output ", graph.output, "\n");
  const auto shapes = InferShapes(graph, input_dims);
  for (const Node& node : graph.nodes) {
    text += StrCat("  ", node.output, " = ", node.name, "(");
    for (ValueId v : node.inputs) {
      const Tensor* t = graph.ConstantOf(v);
      text += StrCat(" ", v);
      if (t == nullptr) continue;
      text += DimsToString(t->dims);
      if (t->is_int) text += StrCat("=", DimsToString(t->ints));
      if (!t->is_int && t->floats.size() == 1) text += StrCat("=", t->floats[0]);
    }
    text += " )";
    if (shapes.ok()) text += StrCat(" ", DimsToString((*shapes)[node.output].dims));
    text += "\n";
  }
  return text;
}

}  // namespace inkread
