// LayerNorm, Attention, SqueezeExcite, padding, parallel Convs and neutral operators: what fuses, and what must not.
#include <gtest/gtest.h>

#include "graph/passes.h"
#include "planner/fuse/fuse.h"
#include "tests/planned_network.h"

namespace inkread {
namespace {

using Fusion = void (*)(Graph&);

std::string After(Fusion fuse, Graph graph) {
  fuse(graph);
  Prune(graph);
  return OpsOf(graph);
}
bool Has(const std::string& ops, const std::string& op) {
  return StrCat(" ", ops, " ").find(StrCat(" ", op, " ")) != std::string::npos;
}

struct Norm {
  int64_t axis = -1;
  float power = 2;
  bool is_product = false, keepdims = true, swapped_sub = false, other_mean = false, epsilon_row = false;
  Dims scale = {5};
  bool deviation_read = false;
};

Graph NormGraph(const Norm& c) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 4, 3, 5});
  const AxesAttrs axes{{c.axis}, c.keepdims, false};
  const ValueId mean = b.Node(OpType::kReduceMean, {c.other_mean ? b.Node(OpType::kRelu, {x}) : x}, axes);
  const ValueId d = b.Node(OpType::kSub, c.swapped_sub ? std::vector{mean, x} : std::vector{x, mean});
  const ValueId square = c.is_product ? b.Node(OpType::kMul, {d, d}) : b.Node(OpType::kPow, {d, b.Scalar(c.power)});
  const ValueId variance = b.Node(OpType::kReduceMean, {square}, axes);
  const ValueId epsilon = c.epsilon_row ? b.Floats({5}, 1e-5f) : b.Scalar(1e-5f);
  const ValueId root = b.Node(OpType::kSqrt, {b.Node(OpType::kAdd, {variance, epsilon})});
  ValueId y = b.Node(OpType::kDiv, {d, root});
  y = b.Node(OpType::kMul, {y, Ramp(b, c.scale)});
  y = b.Node(OpType::kAdd, {Ramp(b, {5}), y});
  if (c.deviation_read) y = b.Node(OpType::kAdd, {y, d});
  return b.Output(y);
}

TEST(FuseLayerNormTest, TakesBothSpellings) {
  for (bool is_product : {false, true}) {
    const Graph graph = NormGraph({.is_product = is_product});
    EXPECT_EQ(After(FuseLayerNorm, graph), "LayerNorm");
    EXPECT_EQ(Difference(graph, {1, 4, 3, 5}), "");
  }
}

TEST(FuseLayerNormTest, LeavesWhatIsNone) {
  for (const Norm& c :
       {Norm{.axis = 1}, Norm{.axis = 2}, Norm{.power = 3}, Norm{.keepdims = false}, Norm{.swapped_sub = true},
        Norm{.other_mean = true}, Norm{.epsilon_row = true}, Norm{.deviation_read = true}}) {
    EXPECT_FALSE(Has(After(FuseLayerNorm, NormGraph(c)), "LayerNorm"));
  }
}

TEST(FuseLayerNormTest, AScaleOfOneElementStaysAProduct) {
  EXPECT_EQ(After(FuseLayerNorm, NormGraph({.scale = {1}})), "LayerNorm Mul Add");
}

struct Attend {
  int64_t softmax_axis = -1;
  std::vector<int64_t> perm = {0, 1, 3, 2};
  int scaled = 0;  // 1: q, 2: k, 3: the product
  bool scores_read = false, shares_read = false, keys_read = false, shares_second = false;
};

Graph AttentionGraph(const Attend& c) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 3, 4, 4});  // [n, heads, t, d], t = d so that misses have shapes too
  ValueId q = b.Node(OpType::kRelu, {x}), k = b.Node(OpType::kSigmoid, {x}), v = b.Node(OpType::kRelu, {x});
  if (c.scaled == 1) q = b.Node(OpType::kMul, {q, b.Scalar(0.5f)});
  if (c.scaled == 2) k = b.Node(OpType::kMul, {b.Scalar(0.5f), k});
  const ValueId transposed = b.Node(OpType::kTranspose, {k}, PermAttrs{c.perm});
  ValueId scores = b.Node(OpType::kMatMul, {q, transposed});
  const ValueId product = scores;
  if (c.scaled == 3) scores = b.Node(OpType::kMul, {scores, b.Scalar(0.5f)});
  const ValueId shares = b.Node(OpType::kSoftmax, {scores}, AxesAttrs{{c.softmax_axis}, true, false});
  ValueId y = b.Node(OpType::kMatMul, c.shares_second ? std::vector{v, shares} : std::vector{shares, v});
  if (c.scores_read) y = b.Node(OpType::kAdd, {y, product});
  if (c.shares_read) y = b.Node(OpType::kAdd, {y, shares});
  if (c.keys_read) y = b.Node(OpType::kAdd, {y, transposed});
  return b.Output(y);
}

TEST(FuseAttentionTest, TakesTheScaleFromWhereverItStands) {
  for (int scaled : {0, 1, 2, 3}) {
    Graph graph = AttentionGraph({.scaled = scaled});
    FuseAttention(graph);
    Prune(graph);
    ASSERT_EQ(graph.nodes.back().op, OpType::kAttention);
    EXPECT_EQ(std::get<ScalarAttrs>(graph.nodes.back().attrs).alpha, scaled == 0 ? 1.0f : 0.5f);
    EXPECT_FALSE(Has(OpsOf(graph), "Mul"));
  }
}

TEST(FuseAttentionTest, LeavesWhatIsNone) {
  for (const Attend& c :
       {Attend{.softmax_axis = 2}, Attend{.softmax_axis = 1}, Attend{.perm = {0, 2, 3, 1}}, Attend{.scores_read = true},
        Attend{.scaled = 3, .scores_read = true}, Attend{.shares_read = true}, Attend{.scaled = 2, .keys_read = true},
        Attend{.shares_second = true}}) {
    EXPECT_FALSE(Has(After(FuseAttention, AttentionGraph(c)), "Attention"));
  }
}

struct Excite {
  int64_t kernel_pad = 0;
  bool has_mean = true, has_bias = true, hidden_read = false, is_relu = true, is_hard = true, gate_read = false;
  int sum = 0;  // 1: x + x * gate, 2: other + x * gate
};

Graph ExciteGraph(const Excite& c) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 4, 3, 5});
  const ValueId m = c.has_mean ? b.Node(OpType::kGlobalAveragePool, {x}) : b.Node(OpType::kMaxPool, {x}, [] {
    WindowAttrs w;
    w.kernel = {3, 5};
    return w;
  }());
  const auto conv = [&](ValueId v, int64_t ic, int64_t oc) {
    std::vector<ValueId> inputs = {v, Ramp(b, {oc, ic, 1, 1})};
    if (c.has_bias) inputs.push_back(Ramp(b, {oc}));
    return b.Node(OpType::kConv, inputs, Window(1, 0));
  };
  const ValueId hidden = b.Node(c.is_relu ? OpType::kRelu : OpType::kSigmoid, {conv(m, 4, 2)});
  const ValueId out = conv(hidden, 2, 4);
  const ValueId gate =
      c.is_hard ? b.Node(OpType::kHardSigmoid, {out}, ScalarAttrs{0.2f, 0.5f, 0}) : b.Node(OpType::kSigmoid, {out});
  ValueId y = b.Node(OpType::kMul, {x, gate});
  if (c.sum == 1) y = b.Node(OpType::kAdd, {x, y});
  if (c.sum == 2) y = b.Node(OpType::kAdd, {b.Node(OpType::kRelu, {x}), y});
  if (c.gate_read) y = b.Node(OpType::kMul, {y, gate});
  if (c.hidden_read)
    y = b.Node(OpType::kConcat,
               {y, b.Node(OpType::kResize, {hidden, kNoValue, b.Floats({4}, {1, 1, 3, 5})}, ResizeAttrs{true})},
               AxesAttrs{{1}, true, false});
  return b.Output(y);
}

TEST(FuseSqueezeExciteTest, TakesTheGateAndTheSum) {
  EXPECT_EQ(After(FuseSqueezeExcite, ExciteGraph({})), "GlobalAveragePool SqueezeExcite Mul");
  EXPECT_EQ(After(FuseSqueezeExcite, ExciteGraph({.sum = 1})), "GlobalAveragePool SqueezeExcite Mul");
  EXPECT_EQ(After(FuseSqueezeExcite, ExciteGraph({.sum = 2})), "GlobalAveragePool SqueezeExcite Mul Relu Add");
  EXPECT_EQ(After(FuseSqueezeExcite, ExciteGraph({.gate_read = true, .sum = 1})),
            "GlobalAveragePool SqueezeExcite Mul Add Mul");
  for (int sum : {0, 1, 2}) EXPECT_EQ(Difference(ExciteGraph({.sum = sum}), {2, 4, 3, 5}), "");
  EXPECT_EQ(Difference(ExciteGraph({.gate_read = true, .sum = 1}), {2, 4, 3, 5}), "");
}

TEST(FuseSqueezeExciteTest, LeavesWhatIsNone) {
  for (const Excite& c : {Excite{.has_mean = false}, Excite{.has_bias = false}, Excite{.hidden_read = true},
                          Excite{.is_relu = false}, Excite{.is_hard = false}}) {
    EXPECT_FALSE(Has(After(FuseSqueezeExcite, ExciteGraph(c)), "SqueezeExcite"));
    EXPECT_EQ(Difference(ExciteGraph(c), {2, 4, 3, 5}), "");
  }
}

struct PadCase {
  OpType op = OpType::kConv;
  std::vector<int64_t> pads = {0, 0, 1, 2, 0, 0, 2, 1};
  float value = 0;
  int64_t own = 0;
  bool ceil = false, is_read = false, auto_pad = false;
};

Graph PadGraph(const PadCase& c) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 2, 6, 7});
  const ValueId p = b.Node(OpType::kPad, {x, b.Ints(c.pads), b.Scalar(c.value)});
  WindowAttrs w = Window(3, c.own);
  w.ceil_mode = c.ceil;
  w.stride = {2, 2};
  if (c.auto_pad) w.auto_pad = AutoPad::kSameUpper;
  ValueId y = c.op == OpType::kConv ? b.Node(c.op, {p, Ramp(b, {4, 2, 3, 3})}, w) : b.Node(c.op, {p}, w);
  if (c.is_read) y = b.Node(OpType::kMul, {y, b.Node(OpType::kGlobalAveragePool, {p})});
  return b.Output(y);
}

TEST(FusePadTest, TakesZerosOfHeightAndWidth) {
  for (const PadCase& c :
       {PadCase{}, PadCase{.own = 1}, PadCase{.op = OpType::kMaxPool}, PadCase{.op = OpType::kAveragePool}}) {
    EXPECT_FALSE(Has(After(FusePad, PadGraph(c)), "Pad"));
    EXPECT_EQ(Difference(PadGraph(c), {1, 2, 6, 7}), "");
  }
}

TEST(FusePadTest, LeavesWhatIsNone) {
  for (const PadCase& c : {PadCase{.value = 1}, PadCase{.pads = {0, 0, -1, 0, 0, 0, 0, 0}},
                           PadCase{.pads = {1, 0, 0, 0, 0, 0, 0, 0}}, PadCase{.op = OpType::kMaxPool, .own = 1},
                           PadCase{.op = OpType::kAveragePool, .own = 1}, PadCase{.op = OpType::kMaxPool, .ceil = true},
                           PadCase{.auto_pad = true}, PadCase{.op = OpType::kMaxPool, .is_read = true}}) {
    EXPECT_TRUE(Has(After(FusePad, PadGraph(c)), "Pad"));
  }
}

struct Parallel {
  int64_t kernel_a = 3, kernel_b = 1;
  int64_t pad_b = 0, stride_b = 1;
  bool other_x = false, is_read = false, has_bias = true;
};

Graph ParallelGraph(const Parallel& c) {
  GraphBuilder b;
  const ValueId x = b.Input({1, 2, 5, 6});
  const ValueId y1 = Conv(b, x, 2, 3, c.kernel_a);
  WindowAttrs w = Window(c.kernel_b, c.pad_b);
  w.stride = {c.stride_b, c.stride_b};
  std::vector<ValueId> inputs = {c.other_x ? b.Node(OpType::kRelu, {x}) : x, Ramp(b, {3, 2, c.kernel_b, c.kernel_b})};
  if (c.has_bias) inputs.push_back(Ramp(b, {3}));
  const ValueId y2 = b.Node(OpType::kConv, inputs, w);
  ValueId y = b.Node(OpType::kAdd, {y1, y2});
  if (c.is_read) y = b.Node(OpType::kAdd, {y, y2});
  return b.Output(y);
}

TEST(FuseParallelConvsTest, JoinsCentredWindowsOfOneInput) {
  for (const Parallel& c : {Parallel{}, Parallel{.kernel_a = 1, .kernel_b = 3, .pad_b = 1},
                            Parallel{.kernel_a = 5, .kernel_b = 3, .pad_b = 1}}) {
    EXPECT_EQ(After(FuseParallelConvs, ParallelGraph(c)), "Conv");
    EXPECT_EQ(Difference(ParallelGraph(c), {1, 2, 5, 6}), "");
  }
}

TEST(FuseParallelConvsTest, LeavesWhatIsNone) {
  for (const Parallel& c : {Parallel{.other_x = true}, Parallel{.is_read = true}, Parallel{.has_bias = false},
                            Parallel{.kernel_a = 1, .kernel_b = 1, .stride_b = 2}}) {
    EXPECT_TRUE(Has(After(FuseParallelConvs, ParallelGraph(c)), "Add"));
  }
}

TEST(RemoveNeutralTest, OnlyWhatChangesNothingGoes) {
  struct Case {
    OpType op;
    float value;
    bool constant_first;
    Dims dims;
    bool goes;
  };
  for (const Case& c : {Case{OpType::kAdd, 0, false, {}, true}, Case{OpType::kAdd, 0, true, {1}, true},
                        Case{OpType::kSub, 0, false, {}, true}, Case{OpType::kMul, 1, true, {}, true},
                        Case{OpType::kDiv, 1, false, {1}, true}, Case{OpType::kSub, 0, true, {}, false},
                        Case{OpType::kDiv, 1, true, {}, false}, Case{OpType::kAdd, 1, false, {}, false},
                        Case{OpType::kMul, 0, false, {}, false}, Case{OpType::kAdd, 0, false, {4}, false},
                        Case{OpType::kAdd, 0, false, {1, 1, 1, 1, 1}, false}}) {
    GraphBuilder b;
    const ValueId x = b.Node(OpType::kRelu, {b.Input({1, 2, 3, 4})});
    const ValueId k = b.Floats(c.dims, c.value);
    const ValueId y = b.Node(c.op, c.constant_first ? std::vector{k, x} : std::vector{x, k});
    EXPECT_EQ(After(RemoveNeutral, b.Output(y)), StrCat("Relu ", c.goes ? "Identity" : OpTypeName(c.op)));
  }
}

// Nothing is left to compute: the input itself is copied.
TEST(RemoveNeutralTest, ANetworkOfNothingElseIsACopy) {
  GraphBuilder b;
  const ValueId x = b.Input({2, 3, 4, 5});
  EXPECT_EQ(Difference(b.Output(b.Node(OpType::kMul, {x, b.Scalar(1)})), {2, 3, 4, 5}), "");
}

}  // namespace
}  // namespace inkread
