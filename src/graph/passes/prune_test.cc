#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/passes.h"

namespace inkread {
namespace {

TEST(PruneTest, DropsWhatTheOutputDoesNotNeedAndRenumbers) {
  GraphBuilder b;
  b.Floats({1}, 9.0f);  // read by nothing
  const ValueId x = b.Input({-1});
  const ValueId side = b.Node(OpType::kRelu, {x});
  b.Node(OpType::kAdd, {side, b.Floats({1}, 8.0f)});
  const ValueId kept = b.Floats({1}, 7.0f);
  Graph graph = b.Output(b.Node(OpType::kClip, {b.Node(OpType::kMul, {x, kept}), kNoValue}));
  Prune(graph);
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].op, OpType::kMul);
  ASSERT_EQ(graph.values.size(), 4u);
  EXPECT_EQ(graph.nodes[0].inputs[0], graph.input);
  EXPECT_EQ(graph.ConstantOf(graph.nodes[0].inputs[1])->floats[0], 7.0f);
  EXPECT_EQ(graph.nodes[1].inputs, (std::vector<ValueId>{graph.nodes[0].output, kNoValue}));
  EXPECT_EQ(graph.nodes[1].output, graph.output);
}

TEST(PruneTest, KeepsAnInputThatNothingReads) {
  GraphBuilder b;
  b.Input({-1});
  Graph graph = b.Output(b.Node(OpType::kRelu, {b.Floats({1}, 1.0f)}));
  Prune(graph);
  EXPECT_EQ(graph.values[graph.input].name, "x");
}

}  // namespace
}  // namespace inkread
