// Gelu, Swish and HardSwish: spellings that fuse, and neighbours that must not.
#include <gtest/gtest.h>

#include "graph/passes.h"
#include "planner/fuse/fuse.h"
#include "tests/planned_network.h"

namespace inkread {
namespace {

const Dims kDims = {1, 4, 3, 5};

std::string After(void (*fuse)(Graph&), Graph graph) {
  fuse(graph);
  Prune(graph);
  return OpsOf(graph);
}

struct Gelu {
  float root = std::sqrt(2.0f), one = 1, half = 0.5f;
  bool is_product = false;  // x * (1 / root) for x / root
  int order = 0;            // 0: (x * sum) * half, 1: (sum * half) * x, 2: (x * half) * sum
  Dims scalar_dims = {};    // of the constants
  int read_elsewhere = 0;   // 1: the quotient, 2: erf, 3: the sum, 4: the first product
  bool is_other_x = false;  // the factor is another value than what erf saw
};

std::string AfterGelu(const Gelu& c) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId other = c.is_other_x ? b.Node(OpType::kRelu, {x}) : x;
  const auto constant = [&](float v) { return b.Floats(c.scalar_dims, v); };
  const ValueId q =
      c.is_product ? b.Node(OpType::kMul, {constant(1 / c.root), x}) : b.Node(OpType::kDiv, {x, constant(c.root)});
  const ValueId erf = b.Node(OpType::kErf, {q});
  const ValueId sum = b.Node(OpType::kAdd, {erf, constant(c.one)});
  ValueId first, y;
  if (c.order == 0) {
    first = b.Node(OpType::kMul, {other, sum});
    y = b.Node(OpType::kMul, {first, constant(c.half)});
  } else if (c.order == 1) {
    first = b.Node(OpType::kMul, {sum, constant(c.half)});
    y = b.Node(OpType::kMul, {other, first});
  } else {
    first = b.Node(OpType::kMul, {other, constant(c.half)});
    y = b.Node(OpType::kMul, {first, sum});
  }
  const ValueId middle[] = {kNoValue, q, erf, sum, first};
  if (c.read_elsewhere != 0) y = b.Node(OpType::kAdd, {y, middle[c.read_elsewhere]});
  Graph graph = b.Output(y);
  FuseGelu(graph);
  Prune(graph);
  return OpsOf(graph);
}

TEST(FuseGeluTest, TakesEverySpelling) {
  for (bool is_product : {false, true}) {
    for (int order : {0, 1, 2}) {
      for (const Dims& dims : {Dims{}, Dims{1}}) {
        EXPECT_EQ(AfterGelu({.is_product = is_product, .order = order, .scalar_dims = dims}), "Gelu");
      }
    }
  }
}

TEST(FuseGeluTest, LeavesWhatIsNone) {
  for (const Gelu& c : {Gelu{.root = 1.5f}, Gelu{.one = 0.9f}, Gelu{.half = 0.4f}, Gelu{.half = 0.4f, .order = 1},
                        Gelu{.half = 0.4f, .order = 2}, Gelu{.root = 1.5f, .is_product = true},
                        Gelu{.scalar_dims = {1, 1, 1, 1, 1}}, Gelu{.read_elsewhere = 1}, Gelu{.read_elsewhere = 2},
                        Gelu{.read_elsewhere = 3}, Gelu{.order = 1, .read_elsewhere = 4}, Gelu{.is_other_x = true}}) {
    EXPECT_EQ(AfterGelu(c).find("Gelu"), std::string::npos) << AfterGelu(c);
  }
}

// x * (1 + erf(x / sqrt 2)) before a Conv; `extra` reads the product as well.
Graph HalfInWeights(bool extra, bool is_weight) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId erf = b.Node(OpType::kErf, {b.Node(OpType::kDiv, {x, b.Scalar(std::sqrt(2.0f))})});
  const ValueId product = b.Node(OpType::kMul, {x, b.Node(OpType::kAdd, {erf, b.Scalar(1)})});
  if (!is_weight) return b.Output(b.Node(OpType::kRelu, {product}));
  ValueId y = Conv(b, product, 4, 4);
  if (extra) y = b.Node(OpType::kAdd, {y, product});
  return b.Output(y);
}

TEST(FuseGeluTest, FindsTheHalfInTheNextWeights) {
  Graph graph = HalfInWeights(false, true);
  EXPECT_EQ(Difference(graph, kDims), "");
  FuseGelu(graph);
  Prune(graph);
  EXPECT_EQ(OpsOf(graph), "Gelu Conv");
}

TEST(FuseGeluTest, DoublesNoWeightsForAProductThatIsReadElsewhere) {
  for (Graph graph : {HalfInWeights(true, true), HalfInWeights(false, false)}) {
    FuseGelu(graph);
    Prune(graph);
    EXPECT_EQ(OpsOf(graph).find("Gelu"), std::string::npos);
  }
}

TEST(FuseSwishTest, TakesBothOrdersAndNothingElse) {
  for (int miss = 0; miss < 5; ++miss) {
    GraphBuilder b;
    const ValueId x = b.Input(kDims);
    const ValueId s = b.Node(OpType::kSigmoid, {x});
    ValueId y = b.Node(OpType::kMul, miss == 0 ? std::vector{x, s} : std::vector{s, x});
    if (miss == 2) y = b.Node(OpType::kAdd, {y, s});                           // read elsewhere
    if (miss == 3) y = b.Node(OpType::kMul, {s, b.Node(OpType::kRelu, {x})});  // another factor
    if (miss == 4) y = b.Node(OpType::kMul, {s, s});                           // its own square
    Graph graph = b.Output(y);
    FuseSwish(graph);
    Prune(graph);
    EXPECT_EQ(OpsOf(graph) == "Swish", miss < 2) << OpsOf(graph);
    EXPECT_EQ(OpsOf(graph).find("Swish") != std::string::npos, miss < 2) << OpsOf(graph);
  }
}

struct HardSwish {
  float shift = 3, low = 0, high = 6, divisor = 6;
  bool is_product = false;  // by 1 / divisor
  int read_elsewhere = 0;   // 1: the sum, 2: the clip, 3: the product
  bool is_swapped = false;  // the divisor divided
};

Graph HardSwishGraph(const HardSwish& c) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  const ValueId sum = b.Node(OpType::kAdd, {x, b.Scalar(c.shift)});
  const ValueId clip = b.Node(OpType::kClip, {sum}, ScalarAttrs{c.low, c.high, 0});
  const ValueId product = b.Node(OpType::kMul, {x, clip});
  ValueId y;
  if (c.is_product) {
    y = b.Node(OpType::kMul, {b.Scalar(1 / c.divisor), product});
  } else if (c.is_swapped) {
    y = b.Node(OpType::kDiv, {b.Scalar(c.divisor), product});
  } else {
    y = b.Node(OpType::kDiv, {product, b.Scalar(c.divisor)});
  }
  const ValueId middle[] = {kNoValue, sum, clip, product};
  if (c.read_elsewhere != 0) y = b.Node(OpType::kAdd, {y, middle[c.read_elsewhere]});
  return b.Output(y);
}

TEST(FuseHardSwishTest, TakesWhatIsOne) {
  for (const HardSwish& c :
       {HardSwish{}, HardSwish{.is_product = true}, HardSwish{.shift = 2}, HardSwish{.high = 4, .divisor = 4}}) {
    Graph graph = HardSwishGraph(c);
    EXPECT_EQ(Difference(graph, kDims), "");
    FuseHardSwish(graph);
    Prune(graph);
    EXPECT_EQ(OpsOf(graph), "HardSwish");
  }
}

TEST(FuseHardSwishTest, LeavesWhatIsNone) {
  for (const HardSwish& c : {HardSwish{.low = -1}, HardSwish{.divisor = 5}, HardSwish{.divisor = 5, .is_product = true},
                             HardSwish{.read_elsewhere = 1}, HardSwish{.read_elsewhere = 2},
                             HardSwish{.read_elsewhere = 3}, HardSwish{.is_swapped = true}}) {
    Graph graph = HardSwishGraph(c);
    FuseHardSwish(graph);
    Prune(graph);
    EXPECT_EQ(OpsOf(graph).find("HardSwish"), std::string::npos);
  }
}

// ONNX's own operator, which a file gives without attributes.
TEST(FuseHardSwishTest, TheOperatorItselfHasItsDefaults) {
  GraphBuilder b;
  const ValueId x = b.Input(kDims);
  EXPECT_EQ(Difference(b.Output(b.Node(OpType::kHardSwish, {x})), kDims), "");
}

// op(x, 3) or op(3, x) after `first`, whose operator is read by nothing else.
Graph ScalarGraph(OpType first, OpType op, bool is_left, const Dims& dims = {1}) {
  GraphBuilder b;
  const ValueId x = b.Node(first, {b.Input(kDims)});
  return b.Output(b.Node(op, is_left ? std::vector{x, b.Floats(dims, 3.0f)} : std::vector{b.Floats(dims, 3.0f), x}));
}

TEST(FuseAffineTest, TakesANumberOnEitherSide) {
  for (const OpType op : {OpType::kAdd, OpType::kSub, OpType::kMul, OpType::kDiv}) {
    for (const bool is_left : {true, false}) {
      const Graph graph = ScalarGraph(OpType::kRelu, op, is_left);
      const bool is_taken = op != OpType::kDiv || is_left;
      EXPECT_EQ(After(FuseAffine, graph), is_taken ? "Relu Affine" : "Relu Div");
      if (is_taken) {
        EXPECT_EQ(Difference(graph, kDims), "");
      }
    }
  }
}

TEST(FuseAffineTest, JoinsAHardSwishAndEachOther) {
  GraphBuilder b;
  ValueId y = b.Node(OpType::kHardSwish, {b.Input(kDims)});
  y = b.Node(OpType::kMul, {b.Floats({1}, 1.5f), y});
  y = b.Node(OpType::kAdd, {y, b.Floats({1}, -0.25f)});
  const ValueId read_twice = b.Node(OpType::kMul, {y, b.Scalar(2)});
  y = b.Node(OpType::kSub, {b.Scalar(1), b.Node(OpType::kDiv, {read_twice, b.Scalar(4)})});
  const Graph graph = b.Output(b.Node(OpType::kAdd, {y, read_twice}));
  EXPECT_EQ(After(FuseAffine, graph), "HardSwish Affine Add");
  EXPECT_EQ(Difference(graph, kDims), "");
}

TEST(FuseAffineTest, LeavesConstantsThatMayAddDimensions) {
  EXPECT_EQ(After(FuseAffine, ScalarGraph(OpType::kRelu, OpType::kMul, true, {1, 1, 1, 1, 1})), "Relu Mul");
}

}  // namespace
}  // namespace inkread
