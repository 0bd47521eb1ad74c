#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

// Scale 2 and 3, bias 1 and -1, mean 4 and 0.5, variance 3 and 8, epsilon 1: divides by 2 and by 3.
ValueId Norm(GraphBuilder& b, ValueId x) {
  return b.Node(OpType::kBatchNormalization,
                {x, b.Floats({2}, {2, 3}), b.Floats({2}, {1, -1}), b.Floats({2}, {4, 0.5f}), b.Floats({2}, {3, 8})},
                ScalarAttrs{1.0f, 0});
}

std::vector<float> FloatsOf(const Graph& graph, ValueId id) {
  const Tensor* tensor = graph.ConstantOf(id);
  return tensor == nullptr ? std::vector<float>() : std::vector<float>(tensor->floats.begin(), tensor->floats.end());
}

TEST(FoldBatchNormTest, GoesIntoWeightsAndBias) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 2, -1, -1});
  const ValueId w = b.Floats({2, 2, 1, 1}, {1, 2, 3, 4});
  const ValueId y = Norm(b, b.Node(OpType::kConv, {x, w, b.Floats({2}, {10, 20})}, WindowAttrs{}));
  Graph graph = b.Output(y);
  FoldBatchNorm(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Node& conv = graph.nodes[0];
  EXPECT_EQ(conv.output, y);
  EXPECT_EQ(FloatsOf(graph, conv.inputs[1]), (std::vector<float>{1, 2, 3, 4}));  // scales are 2/2 and 3/3
  EXPECT_EQ(FloatsOf(graph, conv.inputs[2]), (std::vector<float>{7, 18.5f}));    // 10 - 4 + 1, 20 - 0.5 - 1
}

TEST(FoldBatchNormTest, MakesABiasWhereThereIsNone) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 1, -1, -1});
  const ValueId w = b.Floats({2, 1, 1, 1}, {1, 5});
  const ValueId half = b.Floats({2}, {0.5f, 2});
  const ValueId zero = b.Floats({2}, 0.0f), one = b.Floats({2}, 1.0f);
  const ValueId conv_out = b.Node(OpType::kConv, {x, w}, WindowAttrs{});
  Graph graph = b.Output(b.Node(OpType::kBatchNormalization, {conv_out, half, one, one, zero}, ScalarAttrs{1.0f, 0}));
  FoldBatchNorm(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[1]), (std::vector<float>{0.5f, 10}));
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[2]), (std::vector<float>{0.5f, -1}));
  EXPECT_EQ(FloatsOf(graph, w), (std::vector<float>{1, 5}));  // others may read it
}

TEST(FoldBatchNormTest, ScalesConvTransposeByItsOutputChannels) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 4, -1, -1});
  WindowAttrs window;
  window.group = 2;
  // [ic, oc / group]: inputs 0 and 1 feed output 0, inputs 2 and 3 feed output 1.
  const ValueId w = b.Floats({4, 1, 1, 1}, {1, 2, 3, 4});
  const ValueId scale = b.Floats({2}, {10, 100}), zero = b.Floats({2}, 0.0f);
  const ValueId up = b.Node(OpType::kConvTranspose, {x, w}, window);
  Graph graph = b.Output(b.Node(OpType::kBatchNormalization, {up, scale, zero, zero, zero}, ScalarAttrs{1.0f, 0}));
  FoldBatchNorm(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(FloatsOf(graph, graph.nodes[0].inputs[1]), (std::vector<float>{10, 20, 300, 400}));
}

TEST(FoldBatchNormTest, GoesThroughASqueezeOfTheHeight) {
  for (const int64_t axis : {2, -2, 3, -1}) {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 1, 1, -1});
    const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 1, 1, 1}, 1.0f)}, WindowAttrs{});
    const ValueId y = Norm(b, b.Node(OpType::kSqueeze, {conv}, AxesAttrs{{axis}}));
    Graph graph = b.Output(y);
    FoldBatchNorm(graph);
    ASSERT_EQ(graph.nodes.size(), 2u) << axis;
    EXPECT_EQ(graph.nodes[1].op, OpType::kSqueeze);
    EXPECT_EQ(graph.nodes[1].output, y);
    EXPECT_EQ(graph.nodes[0].inputs.size(), 3u);
  }
}

TEST(FoldBatchNormTest, StaysBehindASqueezeThatMovesTheChannels) {
  for (const std::vector<int64_t>& axes : std::vector<std::vector<int64_t>>{{0}, {1}, {-4}, {0, 2}, {}}) {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 1, 1, -1});
    const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 1, 1, 1}, 1.0f)}, WindowAttrs{});
    Graph graph = b.Output(Norm(b, b.Node(OpType::kSqueeze, {conv}, AxesAttrs{axes})));
    FoldBatchNorm(graph);
    EXPECT_EQ(graph.nodes.size(), 3u) << DimsToString(axes);
  }
}

TEST(FoldBatchNormTest, StaysWhereSomethingElseReadsTheConv) {
  for (const bool squeezed : {false, true}) {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 1, 1, -1});
    const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 1, 1, 1}, 1.0f)}, WindowAttrs{});
    const ValueId read = squeezed ? b.Node(OpType::kSqueeze, {conv}, AxesAttrs{{2}}) : conv;
    const ValueId norm = Norm(b, read);
    Graph graph = b.Output(b.Node(OpType::kAdd, {norm, conv}));
    const size_t before = graph.nodes.size();
    FoldBatchNorm(graph);
    EXPECT_EQ(graph.nodes.size(), before);
  }
}

TEST(FoldBatchNormTest, StaysWhereTheConvIsTheOutputToo) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 1, 1, -1});
  const ValueId conv = b.Node(OpType::kConv, {x, b.Floats({2, 1, 1, 1}, 1.0f)}, WindowAttrs{});
  Norm(b, conv);
  Graph graph = b.Output(conv);
  FoldBatchNorm(graph);
  EXPECT_EQ(graph.nodes.size(), 2u);
}

TEST(FoldBatchNormTest, StaysWhereItsParametersOrTheWeightsDoNotFit) {
  {
    GraphBuilder b;  // 3 channels, parameters of 2
    const ValueId x = b.Input({-1, 1, 1, -1});
    Graph graph = b.Output(Norm(b, b.Node(OpType::kConv, {x, b.Floats({3, 1, 1, 1}, 1.0f)}, WindowAttrs{})));
    FoldBatchNorm(graph);
    EXPECT_EQ(graph.nodes.size(), 2u);
  }
  {
    GraphBuilder b;  // weights that the network computes
    const ValueId x = b.Input({2, 1, 1, 1});
    Graph graph = b.Output(Norm(b, b.Node(OpType::kConv, {x, x}, WindowAttrs{})));
    FoldBatchNorm(graph);
    EXPECT_EQ(graph.nodes.size(), 2u);
  }
  {
    GraphBuilder b;  // no Conv before it
    const ValueId x = b.Input({-1, 2, -1, -1});
    Graph graph = b.Output(Norm(b, b.Node(OpType::kRelu, {x})));
    FoldBatchNorm(graph);
    EXPECT_EQ(graph.nodes.size(), 2u);
  }
}

}  // namespace
}  // namespace inkread
