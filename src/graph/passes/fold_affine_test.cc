#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

std::vector<float> FloatsOf(const Graph& graph, ValueId id) {
  const Tensor* tensor = graph.ConstantOf(id);
  return tensor == nullptr ? std::vector<float>() : std::vector<float>(tensor->floats.begin(), tensor->floats.end());
}

TEST(FoldAffineTest, JoinsConvs) {
  for (const OpType op : {OpType::kConv, OpType::kConvTranspose}) {
    for (const Dims& dims : {Dims{1, 2, 1, 1}, Dims{2, 1, 1}}) {
      GraphBuilder b;
      const ValueId x = b.Input({-1, 2, -1, -1});
      const ValueId w = b.Floats({2, 2, 1, 1}, 1.0f);
      const ValueId conv = b.Node(op, {x, w}, WindowAttrs{});
      const ValueId y = b.Node(OpType::kAdd, {b.Floats(dims, {5, 6}), conv});
      Graph graph = b.Output(y);
      FoldAffine(graph);
      ASSERT_EQ(graph.nodes.size(), 1u);
      EXPECT_EQ(graph.nodes[0].output, y);
      EXPECT_EQ(graph.nodes[0].inputs[1], w);
      EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{5, 6}));
      EXPECT_EQ(graph.ConstantOf(graph.nodes[0].inputs[2])->dims, (Dims{2}));
    }
  }
}

TEST(FoldAffineTest, AddsToABiasThatIsThere) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  ValueId y = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f), b.Floats({2}, {1, 2})}, WindowAttrs{});
  y = b.Node(OpType::kAdd, {y, b.Floats({1, 2, 1, 1}, {10, 20})});
  y = b.Node(OpType::kAdd, {y, b.Floats({1, 2, 1, 1}, {100, 200})});
  Graph graph = b.Output(y);
  FoldAffine(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{111, 222}));
}

TEST(FoldAffineTest, JoinsMatMulsByAConstant) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, -1, 3});
  const ValueId bias = b.Floats({2}, {5, 6});
  Graph graph = b.Output(b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {x, b.Floats({3, 2}, 1.0f)}), bias}));
  FoldAffine(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs[2], bias);
}

// The weights and bias of a Conv of 1, 2 and no bias after a node with the constants 4 and 8, or 4 alone.
std::vector<float> AfterFolding(OpType op, const Dims& dims, bool is_constant_first) {
  GraphBuilder b;
  const ValueId conv = b.Node(OpType::kConv, {b.Input({-1, 1, -1, -1}), b.Floats({2, 1, 1, 1}, {1, 2})}, WindowAttrs{});
  const ValueId constant = dims.size() < 3 ? b.Floats(dims, 4.0f) : b.Floats(dims, {4, 8});
  const std::vector<ValueId> inputs = is_constant_first ? std::vector{constant, conv} : std::vector{conv, constant};
  Graph graph = b.Output(b.Node(op, inputs));
  FoldAffine(graph);
  if (graph.nodes.size() != 1) return {};
  std::vector<float> numbers = FloatsOf(graph, graph.nodes[0].inputs[1]);
  for (const float bias : FloatsOf(graph, graph.nodes[0].inputs[2])) numbers.push_back(bias);
  return numbers;
}

TEST(FoldAffineTest, TakesEveryOperatorOnBothSides) {
  using Numbers = std::vector<float>;
  for (const Dims& one : {Dims{}, Dims{1}, Dims{1, 1}}) {
    EXPECT_EQ(AfterFolding(OpType::kAdd, one, false), (Numbers{1, 2, 4, 4}));
    EXPECT_EQ(AfterFolding(OpType::kSub, one, false), (Numbers{1, 2, -4, -4}));
    EXPECT_EQ(AfterFolding(OpType::kSub, one, true), (Numbers{-1, -2, 4, 4}));
    EXPECT_EQ(AfterFolding(OpType::kMul, one, true), (Numbers{4, 8, 0, 0}));
    EXPECT_EQ(AfterFolding(OpType::kDiv, one, false), (Numbers{0.25, 0.5, 0, 0}));
    EXPECT_EQ(AfterFolding(OpType::kDiv, one, true), Numbers());
  }
  for (const Dims& channels : {Dims{1, 2, 1, 1}, Dims{2, 1, 1}}) {
    EXPECT_EQ(AfterFolding(OpType::kSub, channels, true), (Numbers{-1, -2, 4, 8}));
    EXPECT_EQ(AfterFolding(OpType::kMul, channels, false), (Numbers{4, 16, 0, 0}));
    EXPECT_EQ(AfterFolding(OpType::kDiv, channels, false), (Numbers{0.25, 0.25, 0, 0}));
  }
}

// As PP-OCRv5 writes its learnable scales.
TEST(FoldAffineTest, TakesAChainInOneGo) {
  GraphBuilder b;
  ValueId y = b.Node(OpType::kConv, {b.Input({-1, 1, -1, -1}), b.Floats({1, 1, 1, 1}, 3.0f)}, WindowAttrs{});
  y = b.Node(OpType::kAdd, {y, b.Floats({1, 1, 1, 1}, 1.0f)});
  y = b.Node(OpType::kMul, {b.Floats({1}, 2.0f), y});
  y = b.Node(OpType::kAdd, {y, b.Floats({1}, 10.0f)});
  Graph graph = b.Output(y);
  FoldAffine(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[1]), (std::vector<float>{6}));
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{12}));
}

TEST(FoldAffineTest, LeavesTheNumberOfAHardSwish) {
  GraphBuilder b;
  ValueId y = b.Node(OpType::kConv, {b.Input({-1, 1, -1, -1}), b.Floats({1, 1, 1, 1}, 3.0f)}, WindowAttrs{});
  y = b.Node(OpType::kClip, {b.Node(OpType::kAdd, {y, b.Floats({1}, 3.0f)})}, ScalarAttrs{0, 6});
  Graph graph = b.Output(y);
  FoldAffine(graph);
  EXPECT_EQ(graph.nodes.size(), 3u);
}

TEST(ChannelScaleToConvTest, TakesWhatNoConvIsBefore) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 2, -1, -1});
  ValueId y = b.Node(OpType::kMul, {b.Floats({1, 2, 1, 1}, {3, 5}), x});
  y = b.Node(OpType::kDiv, {b.Node(OpType::kRelu, {y}), b.Floats({1, 2, 1, 1}, {2, 4})});
  y = b.Node(OpType::kMul, {b.Node(OpType::kRelu, {y}), b.Floats({2, 1, 1}, {2, 4})});  // may be of another axis
  Graph graph = b.Output(y);
  ChannelScaleToConv(graph);
  const std::vector<OpType> expected = {OpType::kConv, OpType::kRelu, OpType::kConv, OpType::kRelu, OpType::kMul};
  ASSERT_EQ(graph.nodes.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(graph.nodes[i].op, expected[i]) << i;
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[1]), (std::vector<float>{3, 5}));
  EXPECT_EQ(FloatsOf(graph, graph.nodes[2].inputs[1]), (std::vector<float>{0.5, 0.25}));
}

// Adds `constant` to a Conv with 2 output channels and returns how many nodes are left.
size_t NodesAfterAdd(Dims constant) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f)}, WindowAttrs{});
  Graph graph = b.Output(b.Node(OpType::kAdd, {conv, b.Floats(std::move(constant), 3.0f)}));
  FoldAffine(graph);
  return graph.nodes.size();
}

TEST(FoldAffineTest, LeavesOtherAdds) {
  EXPECT_EQ(NodesAfterAdd({1, 2, 1, 1}), 1u);
  EXPECT_EQ(NodesAfterAdd({}), 1u);
  EXPECT_EQ(NodesAfterAdd({2}), 2u);              // along the width
  EXPECT_EQ(NodesAfterAdd({1, 1, 1, 2}), 2u);     // along the width
  EXPECT_EQ(NodesAfterAdd({2, 2, 1, 1}), 2u);     // differs from image to image
  EXPECT_EQ(NodesAfterAdd({1, 1, 2, 1, 1}), 2u);  // has five dimensions
}

TEST(FoldAffineTest, LeavesMatMulsOfTwoComputedValuesAndWidenedBiases) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 2});
  ValueId y = b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {x, x}), b.Floats({2}, 1.0f)});
  y = b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {y, b.Floats({2, 2}, 1.0f)}), b.Floats({1, 1, 2}, 1.0f)});
  Graph graph = b.Output(y);
  FoldAffine(graph);
  EXPECT_EQ(graph.nodes.size(), 4u);
}

TEST(FoldAffineTest, LeavesAConvThatSomethingElseReads) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f)}, WindowAttrs{});
  const ValueId sum = b.Node(OpType::kAdd, {conv, b.Floats({1, 2, 1, 1}, 3.0f)});
  Graph graph = b.Output(b.Node(OpType::kMul, {sum, conv}));
  FoldAffine(graph);
  EXPECT_EQ(graph.nodes.size(), 3u);
}

}  // namespace
}  // namespace inkread
