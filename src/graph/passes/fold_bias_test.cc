#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

std::vector<float> FloatsOf(const Graph& graph, ValueId id) {
  const Tensor* tensor = graph.ConstantOf(id);
  return tensor == nullptr ? std::vector<float>() : std::vector<float>(tensor->floats.begin(), tensor->floats.end());
}

TEST(FoldBiasTest, JoinsConvs) {
  for (const OpType op : {OpType::kConv, OpType::kConvTranspose}) {
    for (const Dims& dims : {Dims{1, 2, 1, 1}, Dims{2, 1, 1}}) {
      GraphBuilder b;
      const ValueId x = b.Input({-1, 2, -1, -1});
      const ValueId w = b.Floats({2, 2, 1, 1}, 1.0f);
      const ValueId conv = b.Node(op, {x, w}, WindowAttrs{});
      const ValueId y = b.Node(OpType::kAdd, {b.Floats(dims, {5, 6}), conv});
      Graph graph = b.Output(y);
      FoldBias(graph);
      ASSERT_EQ(graph.nodes.size(), 1u);
      EXPECT_EQ(graph.nodes[0].output, y);
      EXPECT_EQ(graph.nodes[0].inputs[1], w);
      EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{5, 6}));
      EXPECT_EQ(graph.ConstantOf(graph.nodes[0].inputs[2])->dims, (Dims{2}));
    }
  }
}

TEST(FoldBiasTest, AddsToABiasThatIsThere) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  ValueId y = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f), b.Floats({2}, {1, 2})}, WindowAttrs{});
  y = b.Node(OpType::kAdd, {y, b.Floats({1, 2, 1, 1}, {10, 20})});
  y = b.Node(OpType::kAdd, {y, b.Floats({1, 2, 1, 1}, {100, 200})});
  Graph graph = b.Output(y);
  FoldBias(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{111, 222}));
}

TEST(FoldBiasTest, JoinsMatMulsByAConstant) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, -1, 3});
  const ValueId bias = b.Floats({2}, {5, 6});
  Graph graph = b.Output(b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {x, b.Floats({3, 2}, 1.0f)}), bias}));
  FoldBias(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs[2], bias);
}

// Adds `constant` to a Conv with 2 output channels and returns how many nodes are left.
size_t NodesAfterAdd(Dims constant) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f)}, WindowAttrs{});
  Graph graph = b.Output(b.Node(OpType::kAdd, {conv, b.Floats(std::move(constant), 3.0f)}));
  FoldBias(graph);
  return graph.nodes.size();
}

TEST(FoldBiasTest, LeavesOtherAdds) {
  EXPECT_EQ(NodesAfterAdd({1, 2, 1, 1}), 1u);
  EXPECT_EQ(NodesAfterAdd({}), 2u);  // the 3 of a hard-swish
  EXPECT_EQ(NodesAfterAdd({1}), 2u);
  EXPECT_EQ(NodesAfterAdd({2}), 2u);              // along the width
  EXPECT_EQ(NodesAfterAdd({1, 1, 1, 2}), 2u);     // along the width
  EXPECT_EQ(NodesAfterAdd({2, 2, 1, 1}), 2u);     // differs from image to image
  EXPECT_EQ(NodesAfterAdd({1, 1, 2, 1, 1}), 2u);  // has five dimensions
}

TEST(FoldBiasTest, LeavesMatMulsOfTwoComputedValuesAndWidenedBiases) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 2});
  ValueId y = b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {x, x}), b.Floats({2}, 1.0f)});
  y = b.Node(OpType::kAdd, {b.Node(OpType::kMatMul, {y, b.Floats({2, 2}, 1.0f)}), b.Floats({1, 1, 2}, 1.0f)});
  Graph graph = b.Output(y);
  FoldBias(graph);
  EXPECT_EQ(graph.nodes.size(), 4u);
}

TEST(FoldBiasTest, LeavesAConvThatSomethingElseReads) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 2, 1, 1}, 1.0f)}, WindowAttrs{});
  const ValueId sum = b.Node(OpType::kAdd, {conv, b.Floats({1, 2, 1, 1}, 3.0f)});
  Graph graph = b.Output(b.Node(OpType::kMul, {sum, conv}));
  FoldBias(graph);
  EXPECT_EQ(graph.nodes.size(), 3u);
}

}  // namespace
}  // namespace inkread
