#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

TEST(RemoveIdentitiesTest, BypassesChainsAndTheOutput) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 2});
  const ValueId once = b.Node(OpType::kIdentity, {x});
  const ValueId relu = b.Node(OpType::kRelu, {b.Node(OpType::kIdentity, {once})});
  const ValueId same = b.Node(OpType::kCast, {relu}, CastAttrs{false});
  Graph graph = b.Output(b.Node(OpType::kIdentity, {same}));
  RemoveIdentities(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, OpType::kRelu);
  EXPECT_EQ(graph.nodes[0].inputs[0], x);
  EXPECT_EQ(graph.output, relu);
}

TEST(RemoveIdentitiesTest, BypassesIntegerCastsOfIntegersOnly) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 2});
  const ValueId shape = b.Node(OpType::kShape, {x});
  const ValueId same = b.Node(OpType::kCast, {shape}, CastAttrs{true});
  const ValueId target = b.Node(OpType::kCast, {b.Floats({1}, 2.0f)}, CastAttrs{true});
  const ValueId both = b.Node(OpType::kConcat, {same, target}, AxesAttrs{{0}});
  Graph graph = b.Output(b.Node(OpType::kReshape, {x, both}));
  RemoveIdentities(graph);
  ASSERT_EQ(graph.nodes.size(), 4u);
  EXPECT_EQ(graph.nodes[1].op, OpType::kCast);
  EXPECT_EQ(graph.nodes[2].inputs, (std::vector<ValueId>{shape, target}));
}

}  // namespace
}  // namespace inkread
