// Tests the shape rules of all operators without windows, as tables.
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/ops/test_shapes.h"

namespace inkread {
namespace {

std::string UnaryShape(OpType op, Dims x, Attrs attrs, std::vector<std::vector<int64_t>> int_inputs = {}) {
  GraphBuilder b;
  std::vector<ValueId> inputs = {b.Input(std::move(x))};
  for (std::vector<int64_t>& ints : int_inputs) inputs.push_back(b.Ints(std::move(ints)));
  return ShapeText(b.Output(b.Node(op, inputs, std::move(attrs))));
}

std::string BinaryShape(OpType op, Dims x, Dims constant, Attrs attrs = {}) {
  GraphBuilder b;
  const ValueId in = b.Input(std::move(x));
  return ShapeText(b.Output(b.Node(op, {in, b.Floats(std::move(constant), 1.0f)}, std::move(attrs))));
}

bool IsError(const std::string& text, const std::string& code) {
  return text.rfind(code + " test.onnx: node '", 0) == 0;
}

TEST(ShapeRulesTest, ElementwiseBroadcasts) {
  EXPECT_EQ(BinaryShape(OpType::kAdd, {2, 3, 4, 5}, {}), "[2, 3, 4, 5]");
  EXPECT_EQ(BinaryShape(OpType::kMul, {2, 3, 4, 5}, {3, 1, 1}), "[2, 3, 4, 5]");
  EXPECT_EQ(BinaryShape(OpType::kSub, {2, 1, 5}, {1, 4, 1}), "[2, 4, 5]");
  EXPECT_EQ(BinaryShape(OpType::kDiv, {5}, {2, 1}), "[2, 5]");
  EXPECT_EQ(BinaryShape(OpType::kPow, {2, 3}, {4}),
            "INVALID_ARGUMENT test.onnx: node 'Pow_0': inputs are [2, 3] and [4], which do not broadcast");
}

TEST(ShapeRulesTest, MatMulBroadcastsItsLeadingAxes) {
  EXPECT_EQ(BinaryShape(OpType::kMatMul, {2, 40, 80}, {80, 6906}), "[2, 40, 6906]");
  EXPECT_EQ(BinaryShape(OpType::kMatMul, {2, 1, 3, 4}, {8, 4, 5}), "[2, 8, 3, 5]");
  EXPECT_TRUE(IsError(BinaryShape(OpType::kMatMul, {2, 40, 80}, {81, 10}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(BinaryShape(OpType::kMatMul, {2, 3, 4}, {3, 4, 5}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(BinaryShape(OpType::kMatMul, {4}, {4, 5}), "UNSUPPORTED"));
}

TEST(ShapeRulesTest, MatMulTakesABiasOfItsWidth) {
  for (const int64_t n : {5, 4}) {
    GraphBuilder b;
    const ValueId x = b.Input({1, 7, 3});
    const Graph graph = b.Output(b.Node(OpType::kMatMul, {x, b.Floats({3, 5}, 1.0f), b.Floats({n}, 1.0f)}));
    EXPECT_EQ(ShapeText(graph),
              n == 5 ? "[1, 7, 5]" : "INVALID_ARGUMENT test.onnx: node 'MatMul_0': bias is [4], expected [5]");
  }
}

TEST(ShapeRulesTest, GemmTransposes) {
  GemmAttrs attrs;
  EXPECT_EQ(BinaryShape(OpType::kGemm, {2, 3}, {3, 4}, attrs), "[2, 4]");
  attrs.trans_b = true;
  EXPECT_EQ(BinaryShape(OpType::kGemm, {2, 3}, {4, 3}, attrs), "[2, 4]");
  attrs.trans_a = true;
  EXPECT_EQ(BinaryShape(OpType::kGemm, {3, 2}, {4, 3}, attrs), "[2, 4]");
  EXPECT_TRUE(IsError(BinaryShape(OpType::kGemm, {2, 3}, {4, 3}, attrs), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, ReduceMeanKeepsOrDropsAxes) {
  EXPECT_EQ(UnaryShape(OpType::kReduceMean, {2, 3, 4, 5}, AxesAttrs{{2, 3}, true}), "[2, 3, 1, 1]");
  EXPECT_EQ(UnaryShape(OpType::kReduceMean, {2, 3, 4, 5}, AxesAttrs{{-1}, false}), "[2, 3, 4]");
  EXPECT_EQ(UnaryShape(OpType::kReduceMean, {2, 3}, AxesAttrs{{}, true}), "[1, 1]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kReduceMean, {2, 3}, AxesAttrs{{2}, true}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(UnaryShape(OpType::kReduceMean, {2, 3}, AxesAttrs{{1, -1}, true}), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, OldSoftmaxOverSeveralAxesIsRefusedWhereItMatters) {
  AxesAttrs old{{1}, true, true};
  EXPECT_EQ(UnaryShape(OpType::kSoftmax, {4, 2}, old), "[4, 2]");              // the last axis
  EXPECT_EQ(UnaryShape(OpType::kSoftmax, {4, 2, 1, 1}, old), "[4, 2, 1, 1]");  // same result as over the last axis
  EXPECT_TRUE(IsError(UnaryShape(OpType::kSoftmax, {4, 2, 3}, old), "UNSUPPORTED"));
  EXPECT_EQ(UnaryShape(OpType::kSoftmax, {4, 2, 3}, AxesAttrs{{1}, true, false}), "[4, 2, 3]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kSoftmax, {4, 2}, AxesAttrs{{2}}), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, ReshapeKnowsZeroAndMinusOne) {
  EXPECT_EQ(UnaryShape(OpType::kReshape, {2, 3, 4}, {}, {{0, -1}}), "[2, 12]");
  EXPECT_EQ(UnaryShape(OpType::kReshape, {2, 3, 4}, {}, {{4, 6}}), "[4, 6]");
  EXPECT_EQ(UnaryShape(OpType::kReshape, {2, 3, 4}, {}, {{-1}}), "[24]");
  EXPECT_EQ(UnaryShape(OpType::kReshape, {1}, {}, {{}}), "[]");
  for (const std::vector<int64_t>& target : std::vector<std::vector<int64_t>>{
           {5, -1}, {4, 5}, {-1, -1}, {-2, -12}, {0, 0, 0, 0}, {INT64_MAX, INT64_MAX}, {}}) {
    EXPECT_TRUE(IsError(UnaryShape(OpType::kReshape, {2, 3, 4}, {}, {target}), "INVALID_ARGUMENT"))
        << DimsToString(target);
  }
}

TEST(ShapeRulesTest, SqueezeAndUnsqueeze) {
  EXPECT_EQ(UnaryShape(OpType::kSqueeze, {2, 3, 1, 5}, AxesAttrs{{2}}), "[2, 3, 5]");
  EXPECT_EQ(UnaryShape(OpType::kSqueeze, {2, 3, 1, 5}, AxesAttrs{{-2}}), "[2, 3, 5]");
  EXPECT_EQ(UnaryShape(OpType::kSqueeze, {1, 3, 1, 5}, AxesAttrs{}), "[3, 5]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kSqueeze, {2, 3, 4, 5}, AxesAttrs{{2}}), "INVALID_ARGUMENT"));
  EXPECT_EQ(UnaryShape(OpType::kUnsqueeze, {2, 3}, AxesAttrs{{0, 3}}), "[1, 2, 3, 1]");
  EXPECT_EQ(UnaryShape(OpType::kUnsqueeze, {2, 3}, AxesAttrs{{-1}}), "[2, 3, 1]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kUnsqueeze, {2, 3}, AxesAttrs{{4}}), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, Transpose) {
  EXPECT_EQ(UnaryShape(OpType::kTranspose, {2, 3, 4}, PermAttrs{{0, 2, 1}}), "[2, 4, 3]");
  EXPECT_EQ(UnaryShape(OpType::kTranspose, {2, 3, 4}, PermAttrs{}), "[4, 3, 2]");
  for (const std::vector<int64_t>& perm : std::vector<std::vector<int64_t>>{{0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, -1}}) {
    EXPECT_TRUE(IsError(UnaryShape(OpType::kTranspose, {2, 3, 4}, PermAttrs{perm}), "INVALID_ARGUMENT"));
  }
}

TEST(ShapeRulesTest, SliceClampsAndStepsBothWays) {
  using V = std::vector<std::vector<int64_t>>;
  auto slice = [](const V& inputs) { return UnaryShape(OpType::kSlice, {10, 4}, {}, inputs); };
  EXPECT_EQ(slice(V{{2}, {7}}), "[5, 4]");
  EXPECT_EQ(slice(V{{1}, {3}, {1}}), "[10, 2]");
  EXPECT_EQ(slice(V{{-3}, {INT64_MAX}, {0}, {2}}), "[2, 4]");
  EXPECT_EQ(slice(V{{9}, {INT64_MIN}, {0}, {-1}}), "[10, 4]");
  EXPECT_EQ(slice(V{{8}, {2}, {0}, {-4}}), "[2, 4]");
  EXPECT_EQ(slice(V{{0, 1}, {100, -1}, {0, -1}, {3, 1}}), "[4, 2]");
  EXPECT_TRUE(IsError(slice(V{{7}, {2}}), "INVALID_ARGUMENT"));  // float values must not be empty
  EXPECT_TRUE(IsError(slice(V{{0}, {5}, {2}}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(slice(V{{0}, {5}, {0}, {0}}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(slice(V{{0, 0}, {5}}), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, ConcatAndGather) {
  EXPECT_EQ(BinaryShape(OpType::kConcat, {2, 3, 4}, {2, 5, 4}, AxesAttrs{{1}}), "[2, 8, 4]");
  EXPECT_EQ(BinaryShape(OpType::kConcat, {2, 3, 4}, {2, 3, 1}, AxesAttrs{{-1}}), "[2, 3, 5]");
  EXPECT_TRUE(IsError(BinaryShape(OpType::kConcat, {2, 3, 4}, {2, 3, 4, 1}, AxesAttrs{{1}}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(BinaryShape(OpType::kConcat, {2, 3, 4}, {1, 5, 4}, AxesAttrs{{1}}), "INVALID_ARGUMENT"));
  EXPECT_EQ(UnaryShape(OpType::kGather, {5, 3, 4}, AxesAttrs{{0}}, {{1, -1}}), "[2, 3, 4]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kGather, {5, 3, 4}, AxesAttrs{{0}}, {{5}}), "INVALID_ARGUMENT"));
  GraphBuilder b;
  const ValueId x = b.Input({5, 3, 4});
  const ValueId scalar = b.Constant(Tensor::FromInts({}, {2}));
  EXPECT_EQ(ShapeText(b.Output(b.Node(OpType::kGather, {x, scalar}, AxesAttrs{{1}}))), "[5, 4]");
}

TEST(ShapeRulesTest, PadAndResize) {
  EXPECT_EQ(UnaryShape(OpType::kPad, {1, 2, 3, 4}, {}, {{0, 0, 0, 1, 0, 0, 1, 1}}), "[1, 2, 4, 6]");
  EXPECT_EQ(UnaryShape(OpType::kPad, {5}, {}, {{-1, -2}}), "[2]");
  EXPECT_TRUE(IsError(UnaryShape(OpType::kPad, {5}, {}, {{-3, -2}}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(UnaryShape(OpType::kPad, {5}, {}, {{1}}), "INVALID_ARGUMENT"));
  auto resize = [](std::vector<float> scales) {
    GraphBuilder b;
    const ValueId x = b.Input({1, 2, 5, 6});
    const ValueId s = b.Floats({static_cast<int64_t>(scales.size())}, scales);
    return ShapeText(b.Output(b.Node(OpType::kResize, {x, kNoValue, s}, ResizeAttrs{true})));
  };
  EXPECT_EQ(resize({1, 1, 2, 2}), "[1, 2, 10, 12]");
  EXPECT_EQ(resize({1, 1, 0.5f, 1.5f}), "[1, 2, 2, 9]");
  EXPECT_TRUE(IsError(resize({1, 1, 0, 2}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(resize({1, 1, 1e30f, 2}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(IsError(resize({1, 2}), "INVALID_ARGUMENT"));
  GraphBuilder b;
  const ValueId x = b.Input({1, 2, 5, 6});
  const ValueId sizes = b.Ints({1, 2, 7, 7});
  EXPECT_EQ(ShapeText(b.Output(b.Node(OpType::kResize, {x, kNoValue, kNoValue, sizes}, ResizeAttrs{true}))),
            "[1, 2, 7, 7]");
}

TEST(ShapeRulesTest, NormalizationsCheckTheirParameters) {
  for (const int64_t c : {3, 4}) {
    GraphBuilder b;
    const ValueId x = b.Input({2, 3, 5});
    const ValueId p = b.Floats({c}, 1.0f);
    const std::string text = ShapeText(b.Output(b.Node(OpType::kBatchNormalization, {x, p, p, p, p}, ScalarAttrs{})));
    if (c == 3) {
      EXPECT_EQ(text, "[2, 3, 5]");
    } else {
      EXPECT_TRUE(IsError(text, "INVALID_ARGUMENT")) << text;
    }
  }
  EXPECT_EQ(BinaryShape(OpType::kLayerNorm, {2, 7, 5}, {5}, ScalarAttrs{}), "[2, 7, 5]");
  EXPECT_TRUE(IsError(BinaryShape(OpType::kLayerNorm, {2, 7, 5}, {7}, ScalarAttrs{}), "INVALID_ARGUMENT"));
}

TEST(ShapeRulesTest, AttentionTakesTheLengthOfQAndTheWidthOfV) {
  GraphBuilder b;
  const ValueId q = b.Input({2, 8, 40, 15});
  const ValueId k = b.Floats({2, 8, 30, 15}, 1.0f);
  const ValueId v = b.Floats({2, 8, 30, 9}, 1.0f);
  EXPECT_EQ(ShapeText(b.Output(b.Node(OpType::kAttention, {q, k, v}, ScalarAttrs{}))), "[2, 8, 40, 9]");
}

TEST(ShapeRulesTest, RefusesResultsThatAreTooLarge) {
  GraphBuilder b;
  const ValueId x = b.Input({1 << 20, 1 << 20, 1});
  EXPECT_TRUE(IsError(ShapeText(b.Output(b.Node(OpType::kAdd, {x, b.Floats({2}, 1.0f)}))), "UNSUPPORTED"));
}

}  // namespace
}  // namespace inkread
