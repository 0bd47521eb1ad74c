#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"
#include "graph/shapes.h"

namespace inkread {
namespace {

TEST(SimplifyTest, OneConvIsLeftOfConvBiasIdentityNormAndBias) {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 1, -1, -1});
  ValueId y = b.Node(OpType::kConv, {x, b.Floats({2, 1, 1, 1}, {1, 2})}, WindowAttrs{});
  // The classifiers write a bias as Reshape of a constant; re-exported networks contain many Identity nodes.
  const ValueId bias = b.Node(OpType::kReshape, {b.Floats({2}, {1, 2}), b.Ints({1, -1, 1, 1})});
  y = b.Node(OpType::kIdentity, {b.Node(OpType::kAdd, {y, bias})});
  const ValueId three = b.Floats({2}, 3.0f), zero = b.Floats({2}, 0.0f);
  y = b.Node(OpType::kBatchNormalization, {y, three, zero, zero, zero}, ScalarAttrs{1.0f, 0});
  y = b.Node(OpType::kIdentity, {b.Node(OpType::kAdd, {y, b.Floats({2, 1, 1}, {10, 20})})});
  Graph graph = b.Output(y);
  const Status status = Simplify(graph);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Tensor* weight = graph.ConstantOf(graph.nodes[0].inputs[1]);
  const Tensor* folded = graph.ConstantOf(graph.nodes[0].inputs[2]);
  EXPECT_EQ(weight->floats[0], 3);
  EXPECT_EQ(weight->floats[1], 6);
  EXPECT_EQ(folded->floats[0], 13);
  EXPECT_EQ(folded->floats[1], 26);
  EXPECT_EQ(graph.values.size(), 4u);  // input, weight, bias, output
  EXPECT_TRUE(InferShapes(graph, {1, 1, 4, 4}).ok());
}

TEST(SimplifyTest, RefusesAnOutputThatIsAlwaysTheSame) {
  GraphBuilder b;
  b.Input({-1});
  Graph graph = b.Output(b.Node(OpType::kRelu, {b.Floats({1}, 1.0f)}));
  EXPECT_EQ(Simplify(graph).code(), StatusCode::kCorruptModel);
}

TEST(SimplifyTest, RefusesANetworkThatDoesNothing) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  Graph graph = b.Output(b.Node(OpType::kIdentity, {x}));
  EXPECT_EQ(Simplify(graph).code(), StatusCode::kCorruptModel);
}

}  // namespace
}  // namespace inkread
