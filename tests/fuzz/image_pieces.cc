#include <algorithm>
#include <cmath>

#include "graph/shapes.h"
#include "tests/fuzz/graph_maker.h"

namespace inkread {

int64_t GraphMaker::Pooled(const WindowAttrs& w, int axis, int64_t in) {
  const auto resolved = ResolveWindowAxis(w, axis, in);
  return resolved.ok() ? resolved->out : 0;
}

// A window that fits into x; rarely one that no kernel has.
WindowAttrs GraphMaker::Window(const Dims& d) {
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

ValueId GraphMaker::ConvWith(ValueId x, const WindowAttrs& w, int64_t oc, bool bias) {
  const Dims& d = D(x);
  const int64_t ic = d[1] / w.group;
  const float scale = 1.5f / std::sqrt(static_cast<float>(ic * w.kernel[0] * w.kernel[1]));
  std::vector<ValueId> inputs = {x, Weights({oc, ic, w.kernel[0], w.kernel[1]}, scale)};
  if (bias) inputs.push_back(Weights({oc}, 0.5f));
  return Add(OpType::kConv, inputs, {d[0], oc, Pooled(w, 0, d[2]), Pooled(w, 1, d[3])}, w);
}

void GraphMaker::Conv(ValueId x) {
  // Padding of its own, as PyTorch exports it.
  if (choose_.Chance(15)) x = Padded(x);
  WindowAttrs w = Window(D(x));
  if (choose_.Chance(3) && D(x)[1] % 2 == 0) w.group = 2;
  const int64_t oc = w.group * choose_.Between(1, 10);
  AfterConv(ConvWith(x, w, oc, choose_.Chance(70)), oc);
}

ValueId GraphMaker::Padded(ValueId x) {
  const int64_t t = choose_.Below(3), l = choose_.Below(3), bottom = choose_.Below(3), r = choose_.Below(3);
  const Dims& d = D(x);
  std::vector<ValueId> inputs = {x, b_.Ints({0, 0, t, l, 0, 0, bottom, r})};
  if (choose_.Chance(50)) inputs.push_back(b_.Scalar(choose_.Chance(85) ? 0.0f : 0.5f));
  return Add(OpType::kPad, inputs, {d[0], d[1], d[2] + t + bottom, d[3] + l + r});
}

// What exporters leave behind a Conv: a bias of its own, BatchNormalization, an activation.
void GraphMaker::AfterConv(ValueId y, int64_t channels) {
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

void GraphMaker::Depthwise(ValueId x) {
  WindowAttrs w = Window(D(x));
  w.group = D(x)[1];
  AfterConv(ConvWith(x, w, w.group, choose_.Chance(60)), w.group);
}

void GraphMaker::ConvTranspose(ValueId x) {
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

void GraphMaker::Pool(ValueId x) {
  if (choose_.Chance(15)) x = Padded(x);
  WindowAttrs w = Window(D(x));
  w.ceil_mode = choose_.Chance(25);
  const bool mean = choose_.Chance(50);
  if (mean) w.count_include_pad = choose_.Chance(40);
  const Dims& d = D(x);
  const Dims out = {d[0], d[1], Pooled(w, 0, d[2]), Pooled(w, 1, d[3])};
  Add(mean ? OpType::kAveragePool : OpType::kMaxPool, {x}, out, w);
}

ValueId GraphMaker::GlobalMean(ValueId x) {
  const Dims out = {D(x)[0], D(x)[1], 1, 1};
  if (choose_.Chance(50)) return Add(OpType::kGlobalAveragePool, {x}, out);
  return Add(OpType::kReduceMean, {x}, out, AxesAttrs{{2, 3}, true, false});
}

void GraphMaker::Means(ValueId x) {
  if (choose_.Chance(50)) {
    GlobalMean(x);
  } else {
    Add(OpType::kReduceMean, {x}, {D(x)[0], D(x)[1]}, AxesAttrs{{2, 3}, false, false});
  }
}

void GraphMaker::SqueezeExcite(ValueId x) {
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

void GraphMaker::Gate(ValueId x) {
  const ValueId gate = OtherWith({D(x)[0], D(x)[1], 1, 1}, x);
  if (gate != kNoValue) {
    Binary(OpType::kMul, x, gate, x);
  } else {
    const ValueId means = GlobalMean(x);
    Binary(OpType::kMul, x, means, x);
  }
}

void GraphMaker::Concat(ValueId x) {
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

void GraphMaker::Resize(ValueId x) {
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

void GraphMaker::ParallelConvs(ValueId x) {
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

}  // namespace inkread
