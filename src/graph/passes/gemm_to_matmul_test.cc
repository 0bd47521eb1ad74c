#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

std::vector<float> FloatsOf(const Graph& graph, ValueId id) {
  const Tensor* tensor = graph.ConstantOf(id);
  return tensor == nullptr ? std::vector<float>() : std::vector<float>(tensor->floats.begin(), tensor->floats.end());
}

TEST(GemmToMatMulTest, KeepsWeightsThatNeedNoChange) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2});
  const ValueId w = b.Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  Graph graph = b.Output(b.Node(OpType::kGemm, {x, w, b.Floats({3}, {7, 8, 9})}, GemmAttrs{}));
  GemmToMatMul(graph);
  const Node& node = graph.nodes[0];
  EXPECT_EQ(node.op, OpType::kMatMul);
  EXPECT_EQ(node.inputs[1], w);
  EXPECT_EQ(FloatsOf(graph, node.inputs[2]), (std::vector<float>{7, 8, 9}));
}

TEST(GemmToMatMulTest, FoldsAlphaBetaAndTheTranspose) {
  for (const Dims& bias_dims : {Dims{3}, Dims{1, 3}}) {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 2});
    GemmAttrs attrs;
    attrs.alpha = 2;
    attrs.beta = 10;
    attrs.trans_b = true;
    const ValueId w = b.Floats({3, 2}, {1, 2, 3, 4, 5, 6});
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, w, b.Floats(bias_dims, {7, 8, 9})}, attrs));
    GemmToMatMul(graph);
    const Node& node = graph.nodes[0];
    EXPECT_EQ(node.op, OpType::kMatMul);
    EXPECT_EQ(graph.ConstantOf(node.inputs[1])->dims, (Dims{2, 3}));
    EXPECT_EQ(FloatsOf(graph, node.inputs[1]), (std::vector<float>{2, 6, 10, 4, 8, 12}));
    EXPECT_EQ(graph.ConstantOf(node.inputs[2])->dims, (Dims{3}));
    EXPECT_EQ(FloatsOf(graph, node.inputs[2]), (std::vector<float>{70, 80, 90}));
  }
}

TEST(GemmToMatMulTest, WidensABiasOfOneNumberAndTakesNone) {
  {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 2});
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, b.Floats({2, 3}, 1.0f), b.Scalar(4)}, GemmAttrs{}));
    GemmToMatMul(graph);
    EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{4, 4, 4}));
  }
  {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 2});
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, b.Floats({2, 3}, 1.0f)}, GemmAttrs{}));
    GemmToMatMul(graph);
    EXPECT_EQ(graph.nodes[0].op, OpType::kMatMul);
    EXPECT_EQ(graph.nodes[0].inputs.size(), 2u);
  }
}

TEST(GemmToMatMulTest, LeavesOtherGemms) {
  {
    GraphBuilder b;  // the data operand is transposed
    const ValueId x = b.Input({2, -1});
    GemmAttrs attrs;
    attrs.trans_a = true;
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, b.Floats({2, 3}, 1.0f)}, attrs));
    GemmToMatMul(graph);
    EXPECT_EQ(graph.nodes[0].op, OpType::kGemm);
  }
  {
    GraphBuilder b;  // a bias that differs from row to row
    const ValueId x = b.Input({4, 2});
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, b.Floats({2, 3}, 1.0f), b.Floats({4, 1}, 1.0f)}, GemmAttrs{}));
    GemmToMatMul(graph);
    EXPECT_EQ(graph.nodes[0].op, OpType::kGemm);
  }
  {
    GraphBuilder b;  // computed weights
    const ValueId x = b.Input({2, 2});
    Graph graph = b.Output(b.Node(OpType::kGemm, {x, x}, GemmAttrs{}));
    GemmToMatMul(graph);
    EXPECT_EQ(graph.nodes[0].op, OpType::kGemm);
  }
}

}  // namespace
}  // namespace inkread
