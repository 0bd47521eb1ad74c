#include "graph/shapes.h"

#include <gtest/gtest.h>

#include "graph/graph_builder.h"

namespace inkread {
namespace {

// Recognisers flatten [n, c, 1, w] to [n, c, w] this way: Shape, Slice 0..2, Concat with -1, Reshape.
Graph FlattenByShape() {
  GraphBuilder b;
  const ValueId x = b.Input({-1, 120, 1, -1});
  const ValueId shape = b.Node(OpType::kShape, {x});
  const ValueId head = b.Node(OpType::kSlice, {shape, b.Ints({0}), b.Ints({2}), b.Ints({0})});
  const ValueId target = b.Node(OpType::kConcat, {head, b.Ints({-1})}, AxesAttrs{{0}});
  return b.Output(b.Node(OpType::kReshape, {x, target}));
}

TEST(InferShapesTest, CarriesIntegersFromShapeToReshape) {
  const Graph graph = FlattenByShape();
  for (const int64_t width : {1, 40, 333}) {
    const auto shapes = InferShapes(graph, {2, 120, 1, width});
    ASSERT_TRUE(shapes.ok()) << shapes.status().message();
    EXPECT_EQ((*shapes)[graph.output].dims, (Dims{2, 120, width}));
    EXPECT_FALSE((*shapes)[graph.output].ints.has_value());
    const ValueId target = graph.nodes[3].inputs[1];
    ASSERT_TRUE((*shapes)[target].ints.has_value());
    EXPECT_EQ(*(*shapes)[target].ints, (std::vector<int64_t>{2, 120, -1}));
  }
}

TEST(InferShapesTest, ComputesWithIntegers) {
  // [n * w, c] from Gather, Mul, Unsqueeze, Concat.
  GraphBuilder b;
  const ValueId x = b.Input({-1, -1, 6});
  const ValueId shape = b.Node(OpType::kShape, {x});
  const ValueId cast = b.Node(OpType::kCast, {shape}, CastAttrs{true});
  const ValueId zero = b.Constant(Tensor::FromInts({}, {0})), one = b.Constant(Tensor::FromInts({}, {1}));
  const ValueId n = b.Node(OpType::kGather, {cast, zero}, AxesAttrs{{0}});
  const ValueId w = b.Node(OpType::kGather, {cast, one}, AxesAttrs{{0}});
  const ValueId rows = b.Node(OpType::kUnsqueeze, {b.Node(OpType::kMul, {n, w})}, AxesAttrs{{0}});
  const ValueId target = b.Node(OpType::kConcat, {rows, b.Ints({6})}, AxesAttrs{{0}});
  const Graph graph = b.Output(b.Node(OpType::kReshape, {x, target}));
  const auto shapes = InferShapes(graph, {5, 7, 6});
  ASSERT_TRUE(shapes.ok()) << shapes.status().message();
  EXPECT_EQ((*shapes)[graph.output].dims, (Dims{35, 6}));
}

TEST(InferShapesTest, SaysWhatTheNetworkTakes) {
  const Graph graph = FlattenByShape();
  for (const Dims& dims : {Dims{1, 3, 1, 9}, Dims{1, 120, 1}, Dims{1, 120, 1, 0}, Dims{0, 120, 1, 5}, Dims{}}) {
    const auto shapes = InferShapes(graph, dims);
    ASSERT_FALSE(shapes.ok());
    EXPECT_EQ(shapes.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(shapes.status().message(),
              StrCat("test.onnx: input is ", DimsToString(dims), ", expected [-1, 120, 1, -1] (-1: any size)"));
  }
}

TEST(InferShapesTest, RefusesIntegersThatGrowOutOfProportion) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  ValueId ints = b.Node(OpType::kShape, {x});
  for (int i = 0; i < 60; ++i) ints = b.Node(OpType::kConcat, {ints, ints}, AxesAttrs{{0}});
  const auto shapes = InferShapes(b.Output(b.Node(OpType::kReshape, {x, ints})), {4});
  ASSERT_FALSE(shapes.ok());
  EXPECT_EQ(shapes.status().code(), StatusCode::kUnsupported);
}

TEST(InferShapesTest, RefusesIntegersThatOverflow) {
  GraphBuilder b;
  const ValueId x = b.Input({-1});
  ValueId ints = b.Node(OpType::kShape, {x});
  for (int i = 0; i < 7; ++i) ints = b.Node(OpType::kMul, {ints, ints});
  const auto shapes = InferShapes(b.Output(b.Node(OpType::kReshape, {x, ints})), {4});
  ASSERT_FALSE(shapes.ok());
  EXPECT_EQ(shapes.status().code(), StatusCode::kInvalidArgument);
}

TEST(InferShapesTest, RefusesTargetsThatDependOnPixels) {
  GraphBuilder b;
  const ValueId x = b.Input({2});
  const ValueId target = b.Node(OpType::kCast, {x}, CastAttrs{true});
  const auto shapes = InferShapes(b.Output(b.Node(OpType::kReshape, {x, target})), {2});
  ASSERT_FALSE(shapes.ok());
  EXPECT_EQ(shapes.status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace inkread
