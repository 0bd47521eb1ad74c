// Which nodes become a layer, and which inputs of a Concat are written in place.
#include "planner/network.h"

#include <gtest/gtest.h>

#include "tests/planned_network.h"

namespace inkread {
namespace {

const Dims kDims = {2, 4, 6, 5};

ValueId Concat(GraphBuilder& b, std::vector<ValueId> parts) {
  return b.Node(OpType::kConcat, std::move(parts), AxesAttrs{{1}, true, false});
}

// "Conv+relu+gate+residual Add": the layers in order.
std::string LayersOf(const Graph& graph) {
  const auto network = Prepared(graph);
  if (network == nullptr) return "refused";
  std::string text;
  for (const Layer& layer : network->layers) {
    text += StrCat(text.empty() ? "" : " ", OpTypeName(network->graph.nodes[layer.node].op));
    if (layer.activation != 0) text += "+activation";
    if (layer.gate != kNoValue) text += "+gate";
    if (layer.residual != kNoValue) text += "+residual";
  }
  return text;
}

int NumCopies(const Graph& graph) {
  const auto plan = Plan(*Prepared(graph), kDims, Head::kNetwork);
  int copies = 0;
  for (const Step& step : plan->steps) copies += step.kind() == StepKind::kCopy;
  return copies;
}

TEST(LayersTest, AConvTakesActivationGateAndSumInThisOrder) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId gate = b.Node(OpType::kGlobalAveragePool, {x});
  ValueId y = b.Node(OpType::kRelu, {Conv(b, x, 4, 4, 3)});
  y = b.Node(OpType::kAdd, {x, b.Node(OpType::kMul, {gate, y})});
  const Graph graph = b.Output(y);
  EXPECT_EQ(LayersOf(graph), "GlobalAveragePool Conv+activation+gate+residual");
  EXPECT_EQ(Difference(graph, kDims), "");
}

TEST(LayersTest, WhatComesAfterTheSumIsALayerOfItsOwn) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const Graph graph = b.Output(b.Node(OpType::kRelu, {b.Node(OpType::kAdd, {Conv(b, x, 4, 4), x})}));
  EXPECT_EQ(LayersOf(graph), "Conv+residual Relu+activation");
  EXPECT_EQ(Difference(graph, kDims), "");
}

TEST(LayersTest, AValueThatIsReadTwiceIsStored) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId c = Conv(b, x, 4, 4);
  const Graph graph = b.Output(b.Node(OpType::kAdd, {b.Node(OpType::kRelu, {c}), c}));
  EXPECT_EQ(LayersOf(graph), "Conv Relu+activation+residual");
  EXPECT_EQ(Difference(graph, kDims), "");
}

TEST(LayersTest, TheLaterOfTwoProducersTakesTheSum) {
  for (bool swapped : {false, true}) {
    GraphBuilder b;
    const ValueId x = b.Input(kDims);
    const ValueId early = Conv(b, x, 4, 4), late = b.Node(OpType::kSigmoid, {Conv(b, early, 4, 4, 3)});
    const ValueId other = b.Node(OpType::kRelu, {Conv(b, early, 4, 4)});
    const Graph graph = b.Output(b.Node(OpType::kAdd, swapped ? std::vector{other, late} : std::vector{late, other}));
    EXPECT_EQ(LayersOf(graph), "Conv Conv+activation Conv+activation+residual");
    EXPECT_EQ(Difference(graph, kDims), "");
  }
}

TEST(LayersTest, AProductWithAnotherAxisIsNoGate) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId y = b.Node(OpType::kMul, {Conv(b, x, 4, 4), b.Node(OpType::kRelu, {x})});
  EXPECT_EQ(LayersOf(b.Output(y)), "refused");
}

// A product of rows has its channels last: the gate's channels are another axis.
TEST(LayersTest, AMatMulTakesNoGate) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 4, 6, 4});
  const ValueId gate = b.Node(OpType::kGlobalAveragePool, {x});
  const Graph graph = b.Output(b.Node(OpType::kMul, {b.Node(OpType::kMatMul, {x, Ramp(b, {4, 4})}), gate}));
  EXPECT_EQ(LayersOf(graph), "GlobalAveragePool MatMul Mul+gate");
  EXPECT_EQ(Difference(graph, {2, 4, 6, 4}), "");
}

TEST(LayersTest, ABiasOfChannelsStaysWithItsAxisUnderATranspose) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 4, 6, 4});
  const ValueId turned = b.Node(OpType::kTranspose, {Conv(b, x, 4, 4)}, PermAttrs{{0, 2, 3, 1}});
  const Graph graph = b.Output(b.Node(OpType::kAdd, {turned, Ramp(b, {1, 6, 1, 1})}));
  EXPECT_EQ(Difference(graph, {2, 4, 6, 4}), "");
}

TEST(LayersTest, ABiasThatIsComputedIsRefused) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 4, 6, 5});
  const ValueId bias = b.Node(OpType::kReshape, {b.Node(OpType::kGlobalAveragePool, {x}), b.Ints({4})});
  EXPECT_EQ(LayersOf(b.Output(b.Node(OpType::kConv, {x, Ramp(b, {4, 4, 1, 1}), bias}, Window(1, 0)))), "refused");
}

TEST(LayersTest, AScaleThatIsNotWholeIsRefused) {
  for (float scale : {2.0f, 1.2f, 2.1f}) {
    GraphBuilder b;
    const ValueId x = b.Input({1, 4, 4, 4});
    const ValueId y = b.Node(OpType::kResize, {x, kNoValue, b.Floats({4}, {1, 1, scale, scale})}, ResizeAttrs{true});
    EXPECT_EQ(LayersOf(b.Output(y)), scale == 2.0f ? "Resize" : "refused");
  }
}

TEST(LayersTest, AStepThatTheDeviceHasNotIsRefusedByName) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  DeviceCaps caps = MakeReferenceBackend(16)->Caps();
  caps.has_step[static_cast<size_t>(StepKind::kPool)] = false;
  const auto network = PrepareNetwork(b.Output(b.Node(OpType::kMaxPool, {x}, Window(2, 0))), caps);
  ASSERT_TRUE(network.ok());
  const auto plan = Plan(**network, kDims, Head::kNetwork);
  EXPECT_EQ(plan.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(plan.status().message().find("MaxPool_0"), std::string::npos);
}

TEST(LayersTest, AnOperatorWithoutAStepIsRefusedByName) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const auto network = PrepareNetwork(b.Output(b.Node(OpType::kSqrt, {x})), MakeReferenceBackend(16)->Caps());
  EXPECT_EQ(network.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(network.status().message().find("node 'Sqrt_0' (Sqrt): no step kind computes it"), std::string::npos)
      << network.status().message();
}

TEST(ConcatTest, ProducersWriteInPlace) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId joined =
      Concat(b, {Conv(b, x, 4, 3), b.Node(OpType::kMaxPool, {x}, Window(3, 1)), b.Node(OpType::kRelu, {x})});
  const Graph graph = b.Output(Conv(b, joined, 11, 2));
  EXPECT_EQ(NumCopies(graph), 0);
  EXPECT_EQ(Difference(graph, kDims), "");
}

TEST(ConcatTest, WhatIsThereAlreadyIsCopied) {
  struct Case {
    const char* what;
    int copies;
    int64_t channels;
    ValueId (*join)(GraphBuilder&, ValueId x, ValueId c);
  };
  for (const Case& c : {
           Case{"the input", 1, 8,
                [](GraphBuilder&b, ValueId x, ValueId y) {
                  return Concat(b, {x, y});
                }},
           Case{"the input twice", 2, 8,
                [](GraphBuilder&b, ValueId x, ValueId) {
                  return Concat(b, {x, x});
                }},
           Case{"one value twice", 1, 8,
                [](GraphBuilder&b, ValueId, ValueId y) {
                  return Concat(b, {y, y});
                }},
           Case{"two Concats", 1, 4,
                [](GraphBuilder&b, ValueId x, ValueId y) {
                  const ValueId first = Concat(b, {b.Node(OpType::kRelu, {x}), y}),
                                second = Concat(b, {y, b.Node(OpType::kSigmoid, {x})});
                  return b.Node(OpType::kAdd, {Conv(b, first, 8, 4), Conv(b, second, 8, 4)});
                }},
           Case{"a slice", 1, 6,
                [](GraphBuilder&b, ValueId, ValueId y) {
                  return Concat(b, {y, b.Node(OpType::kSlice, {y, b.Ints({1}), b.Ints({3}), b.Ints({1})})});
                }},
           Case{"a Concat in a Concat", 1, 12,
                [](GraphBuilder&b, ValueId x, ValueId y) {
                  return Concat(b, {Concat(b, {b.Node(OpType::kRelu, {x}), y}), b.Node(OpType::kSigmoid, {x})});
                }},
       }) {
    GraphBuilder b;
    const ValueId x = b.Input(kDims);
    const ValueId y = Conv(b, x, 4, 4);
    const Graph graph = b.Output(Conv(b, c.join(b, x, y), c.channels, 2));
    EXPECT_EQ(NumCopies(graph), c.copies) << c.what;
    EXPECT_EQ(Difference(graph, kDims), "") << c.what;
  }
}

// Nothing may overwrite what is read later.
TEST(InPlaceTest, OnlyWhatDiesIsOverwritten) {
  for (bool read_later : {false, true}) {
    GraphBuilder b;
    const ValueId x = b.Input(kDims);
    const ValueId a = b.Node(OpType::kMaxPool, {x}, Window(3, 1));
    ValueId y = b.Node(OpType::kMaxPool, {b.Node(OpType::kRelu, {a})}, Window(3, 1));
    if (read_later) y = Conv(b, Concat(b, {y, b.Node(OpType::kMaxPool, {a}, Window(5, 2))}), 8, 4);
    const Graph graph = b.Output(y);
    EXPECT_EQ(Difference(graph, kDims), "");
    const auto plan = Plan(*Prepared(graph), kDims, Head::kNetwork);
    for (const Step& step : plan->steps) {
      if (step.kind() != StepKind::kElementwise) continue;
      EXPECT_EQ(step.reads[0].offset_bytes == step.writes[0].offset_bytes, !read_later);
    }
  }
}

TEST(InPlaceTest, ADepthwiseConvKeepsItsResidual) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId a = Conv(b, x, 4, 4), r = Conv(b, x, 4, 4, 3);
  const ValueId dw = b.Node(OpType::kConv, {a, Ramp(b, {4, 1, 3, 3}), Ramp(b, {4})}, Window(3, 1, 4));
  const Graph graph = b.Output(b.Node(OpType::kSigmoid, {b.Node(OpType::kAdd, {dw, r})}));
  EXPECT_EQ(Difference(graph, kDims), "");
}

}  // namespace
}  // namespace inkread
