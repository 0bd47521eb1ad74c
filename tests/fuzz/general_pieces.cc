#include <cmath>

#include "tests/fuzz/graph_maker.h"

namespace inkread {

void GraphMaker::Activation(ValueId x) {
  switch (choose_.Below(11)) {
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
    case 7:
    case 8:
      Affine(Unary(choose_.OneOf({OpType::kHardSwish, OpType::kRelu}), x));
      return;
    default:
      Gelu(x);
      return;
  }
}

// One or two numbers, or a number a channel.
void GraphMaker::Affine(ValueId x) {
  if (D(x).size() == 4 && choose_.Chance(30)) {
    const ValueId numbers = Weights({1, D(x)[1], 1, 1}, 1);
    Binary(choose_.OneOf({OpType::kAdd, OpType::kMul}), x, numbers, x);
    return;
  }
  for (int i = choose_.Between(1, 2); i > 0; --i) {
    const OpType op = choose_.OneOf({OpType::kAdd, OpType::kMul, OpType::kSub, OpType::kDiv});
    const ValueId number = Scalar(choose_.OneOf({0.7f, -1.5f, 2.0f}));
    const bool is_swapped = op == OpType::kSub && choose_.Chance(50);
    x = is_swapped ? Binary(op, number, x, x) : Binary(op, x, number, x);
  }
}

void GraphMaker::Gelu(ValueId x) {
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
    default: {  // the half is part of the next weights
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

void GraphMaker::Sum(ValueId x) {
  const ValueId other = OtherWith(D(x), choose_.Chance(95) ? x : kNoValue);
  if (other != kNoValue) Binary(OpType::kAdd, x, other, x);
}

void GraphMaker::ChannelConstant(ValueId x) {
  const Dims& d = D(x);
  if (d.size() == 4) {
    const bool short_form = choose_.Chance(30);
    Binary(OpType::kAdd, x, Weights(short_form ? Dims{d[1], 1, 1} : Dims{1, d[1], 1, 1}, 1), x);
  } else {
    Binary(OpType::kAdd, x, Weights({d.back()}, 1), x);
  }
}

void GraphMaker::MatMul(ValueId x) {
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

void GraphMaker::SoftmaxOrLayerNorm(ValueId x) {
  if (choose_.Chance(50)) {
    Softmax(x);
  } else {
    LayerNorm(x);
  }
}

void GraphMaker::Softmax(ValueId x) {
  const int64_t rank = static_cast<int64_t>(D(x).size());
  Unary(OpType::kSoftmax, x, AxesAttrs{{choose_.Chance(85) ? (choose_.Chance(50) ? -1 : rank - 1) : 0}, true, false});
}

void GraphMaker::LayerNorm(ValueId x) {
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
void GraphMaker::Attention(ValueId x) {
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
      return Add(OpType::kGather, {turned, b_.Constant(Tensor::FromInts({}, {i}))}, dims, AxesAttrs{{0}, true, false});
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

// What looks like a pattern and is none, or has no kernel.
void GraphMaker::NearMiss(ValueId x) {
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
        const ValueId row = Add(OpType::kReduceMean, {x}, {D(x)[0], D(x)[1], D(x)[2], 1}, AxesAttrs{{3}, true, false});
        Binary(OpType::kMul, x, row, x);
      }
      return;
  }
}

// [n, t, c], a product, a Softmax: what ctc_head takes.
void GraphMaker::CtcTail() {
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

}  // namespace inkread
