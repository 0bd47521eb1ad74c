#include <gtest/gtest.h>

#include <cmath>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

// Adds the value to the input, folds constants and returns the folded value; null if it was not folded.
const Tensor* Folded(GraphBuilder& b, ValueId value, Graph& graph) {
  const ValueId x = b.Input({-1});
  graph = b.Output(b.Node(OpType::kAdd, {x, value}));
  const Status status = FoldConstants(graph);
  EXPECT_TRUE(status.ok()) << status.message();
  return graph.ConstantOf(value);
}

std::vector<float> FoldedFloats(GraphBuilder& b, ValueId value) {
  Graph graph;
  const Tensor* tensor = Folded(b, value, graph);
  if (tensor == nullptr) return {};
  EXPECT_EQ(graph.nodes.size(), 1u);
  return {tensor->floats.begin(), tensor->floats.end()};
}

TEST(FoldConstantsTest, BroadcastsElementwiseNodes) {
  GraphBuilder b;
  const ValueId column = b.Floats({2, 1}, {1, 2}), row = b.Floats({3}, {10, 20, 30});
  EXPECT_EQ(FoldedFloats(b, b.Node(OpType::kMul, {column, row})), (std::vector<float>{10, 20, 30, 20, 40, 60}));
}

TEST(FoldConstantsTest, ComputesUnaryNodes) {
  struct Case {
    OpType op;
    ScalarAttrs attrs;
    float x, y;
  };
  for (const Case& c :
       {Case{OpType::kRelu, {}, -1, 0}, Case{OpType::kSqrt, {}, 9, 3}, Case{OpType::kErf, {}, 0.5f, std::erf(0.5f)},
        Case{OpType::kSigmoid, {}, 0, 0.5f}, Case{OpType::kHardSigmoid, {0.25f, 0.5f}, 1, 0.75f},
        Case{OpType::kHardSwish, {}, 6, 6}, Case{OpType::kClip, {0, 6}, 7, 6}}) {
    GraphBuilder b;
    EXPECT_EQ(FoldedFloats(b, b.Node(c.op, {b.Floats({1}, c.x)}, c.attrs)), (std::vector<float>{c.y}))
        << OpTypeName(c.op);
  }
}

TEST(FoldConstantsTest, MovesElements) {
  const std::vector<float> six = {1, 2, 3, 4, 5, 6};
  {
    GraphBuilder b;
    EXPECT_EQ(FoldedFloats(b, b.Node(OpType::kTranspose, {b.Floats({2, 3}, six)}, PermAttrs{{1, 0}})),
              (std::vector<float>{1, 4, 2, 5, 3, 6}));
  }
  {
    GraphBuilder b;
    const ValueId slice =
        b.Node(OpType::kSlice, {b.Floats({2, 3}, six), b.Ints({-1}), b.Ints({INT64_MIN}), b.Ints({1}), b.Ints({-2})});
    EXPECT_EQ(FoldedFloats(b, slice), (std::vector<float>{3, 1, 6, 4}));
  }
  {
    GraphBuilder b;
    EXPECT_EQ(FoldedFloats(b, b.Node(OpType::kGather, {b.Floats({2, 3}, six), b.Ints({2, -3})}, AxesAttrs{{1}})),
              (std::vector<float>{3, 1, 6, 4}));
  }
  {
    GraphBuilder b;
    const ValueId both = b.Node(OpType::kConcat, {b.Floats({2, 3}, six), b.Floats({2, 1}, {7, 8})}, AxesAttrs{{-1}});
    EXPECT_EQ(FoldedFloats(b, both), (std::vector<float>{1, 2, 3, 7, 4, 5, 6, 8}));
  }
}

TEST(FoldConstantsTest, ReshapedConstantsShareTheirStorage) {
  GraphBuilder b;
  const ValueId bias = b.Floats({4}, {1, 2, 3, 4});
  const ValueId shaped = b.Node(OpType::kReshape, {bias, b.Ints({1, -1, 1, 1})});
  Graph graph;
  const Tensor* folded = Folded(b, shaped, graph);
  ASSERT_NE(folded, nullptr);
  EXPECT_EQ(folded->dims, (Dims{1, 4, 1, 1}));
  EXPECT_EQ(folded->floats.data(), graph.ConstantOf(bias)->floats.data());
}

TEST(FoldConstantsTest, FollowsChainsOfIntegersAndCasts) {
  GraphBuilder b;
  const ValueId shape = b.Node(OpType::kShape, {b.Floats({2, 3}, 0.0f)});
  const ValueId tripled = b.Node(OpType::kMul, {shape, b.Ints({3})});
  EXPECT_EQ(FoldedFloats(b, b.Node(OpType::kCast, {tripled}, CastAttrs{false})), (std::vector<float>{6, 9}));
}

TEST(FoldConstantsTest, LeavesNodesThatSeeTheInput) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 3});
  const ValueId shape = b.Node(OpType::kShape, {x});
  Graph graph = b.Output(b.Node(OpType::kReshape, {b.Node(OpType::kMul, {x, b.Scalar(2)}), shape}));
  ASSERT_TRUE(FoldConstants(graph).ok());
  EXPECT_EQ(graph.nodes.size(), 3u);
}

TEST(FoldConstantsTest, LeavesNodesThatItDoesNotCompute) {
  GraphBuilder b;
  WindowAttrs window;
  const ValueId conv = b.Node(OpType::kConv, {b.Floats({1, 1, 2, 2}, 1.0f), b.Floats({1, 1, 1, 1}, 2.0f)}, window);
  Graph graph;
  EXPECT_EQ(Folded(b, conv, graph), nullptr);
}

TEST(FoldConstantsTest, NamesTheNodeThatContradictsItself) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  const ValueId sum = b.Node(OpType::kAdd, {b.Floats({2}, 1.0f), b.Floats({3}, 1.0f)});
  Graph graph = b.Output(b.Node(OpType::kAdd, {x, sum}));
  const Status status = FoldConstants(graph);
  EXPECT_EQ(status.code(), StatusCode::kCorruptModel);
  EXPECT_NE(status.message().find("test.onnx: node 'Add_0'"), std::string::npos) << status.message();
}

TEST(FoldConstantsTest, RefusesConstantsThatGrowOutOfProportion) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  // 2^10, 2^20 and 2^30 elements; the last is rejected before memory is allocated.
  ValueId sum = b.Floats({1024}, 1.0f);
  for (const Dims& dims : {Dims{1024, 1}, Dims{1024, 1, 1}}) sum = b.Node(OpType::kAdd, {sum, b.Floats(dims, 1.0f)});
  Graph graph = b.Output(b.Node(OpType::kAdd, {x, sum}));
  EXPECT_EQ(FoldConstants(graph).code(), StatusCode::kUnsupported);
}

TEST(FoldConstantsTest, RefusesCastsThatHaveNoInteger) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  const ValueId cast = b.Node(OpType::kCast, {b.Floats({1}, INFINITY)}, CastAttrs{true});
  Graph graph = b.Output(b.Node(OpType::kReshape, {x, cast}));
  EXPECT_EQ(FoldConstants(graph).code(), StatusCode::kCorruptModel);
}

}  // namespace
}  // namespace inkread
