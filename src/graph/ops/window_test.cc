#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/ops/test_shapes.h"

namespace inkread {
namespace {

WindowAttrs Window(int64_t kernel, int64_t stride, int64_t pad) {
  WindowAttrs window;
  window.kernel = {kernel, kernel};
  window.stride = {stride, stride};
  window.pads = {pad, pad, pad, pad};
  return window;
}

std::string ConvShape(Dims x, Dims weight, const WindowAttrs& window, OpType op = OpType::kConv) {
  GraphBuilder b;
  const ValueId in = b.Input(std::move(x));
  const ValueId w = b.Floats(std::move(weight), 0.5f);
  return ShapeText(b.Output(b.Node(op, {in, w}, window)));
}

TEST(WindowTest, ConvFollowsKernelStridePaddingDilationAndGroup) {
  EXPECT_EQ(ConvShape({1, 3, 48, 320}, {16, 3, 3, 3}, Window(3, 2, 1)), "[1, 16, 24, 160]");
  EXPECT_EQ(ConvShape({2, 3, 47, 5}, {4, 3, 3, 3}, Window(3, 2, 1)), "[2, 4, 24, 3]");  // odd sides
  EXPECT_EQ(ConvShape({1, 1, 1, 1}, {1, 1, 1, 1}, Window(1, 1, 0)), "[1, 1, 1, 1]");    // smallest
  WindowAttrs depthwise = Window(3, 1, 1);
  depthwise.group = 8;
  depthwise.stride = {2, 1};
  EXPECT_EQ(ConvShape({1, 8, 12, 7}, {8, 1, 3, 3}, depthwise), "[1, 8, 6, 7]");
  WindowAttrs dilated = Window(3, 1, 0);
  dilated.dilation = {2, 3};
  EXPECT_EQ(ConvShape({1, 1, 10, 10}, {1, 1, 3, 3}, dilated), "[1, 1, 6, 4]");
}

TEST(WindowTest, ConvRefusesWhatDoesNotFit) {
  EXPECT_EQ(ConvShape({1, 8, 5, 5}, {64, 16, 3, 3}, Window(3, 1, 1)),
            "INVALID_ARGUMENT test.onnx: node 'Conv_0': weight is [64, 16, 3, 3], group 1, input has 8 channels");
  EXPECT_EQ(ConvShape({1, 3, 5, 5}, {4, 3, 5, 5}, Window(3, 1, 1)),
            "INVALID_ARGUMENT test.onnx: node 'Conv_0': weight is [4, 3, 5, 5], kernel_shape is [3, 3]");
  EXPECT_EQ(ConvShape({1, 3, 5}, {4, 3, 3, 3}, Window(3, 1, 1)),
            "INVALID_ARGUMENT test.onnx: node 'Conv_0': input 0 is [1, 3, 5], expected 4 dimensions");
  EXPECT_EQ(ConvShape({1, 1, 2, 9}, {1, 1, 5, 5}, Window(5, 1, 1)),
            "INVALID_ARGUMENT test.onnx: node 'Conv_0': input is [1, 1, 2, 9]: a window of 5 does not fit into 2 with "
            "padding 1 and 1");
}

TEST(WindowTest, ConvTransposeIsConvBackwards) {
  EXPECT_EQ(ConvShape({1, 24, 10, 7}, {24, 6, 2, 2}, Window(2, 2, 0), OpType::kConvTranspose), "[1, 6, 20, 14]");
  WindowAttrs grouped = Window(3, 2, 1);
  grouped.group = 2;
  grouped.output_padding = {1, 0};
  EXPECT_EQ(ConvShape({1, 4, 5, 5}, {4, 3, 3, 3}, grouped, OpType::kConvTranspose), "[1, 6, 10, 9]");
}

TEST(WindowTest, PoolsRoundAsAsked) {
  auto pool = [](Dims x, const WindowAttrs& window) {
    GraphBuilder b;
    const ValueId in = b.Input(std::move(x));
    return ShapeText(b.Output(b.Node(OpType::kMaxPool, {in}, window)));
  };
  WindowAttrs window = Window(2, 2, 0);
  EXPECT_EQ(pool({1, 2, 5, 4}, window), "[1, 2, 2, 2]");
  window.ceil_mode = true;
  EXPECT_EQ(pool({1, 2, 5, 4}, window), "[1, 2, 3, 2]");
  // A last window that covers padding only is omitted: 1 + ceil((2 + 2 - 2) / 3) would be 2.
  window = Window(2, 3, 1);
  window.ceil_mode = true;
  EXPECT_EQ(pool({1, 2, 2, 2}, window), "[1, 2, 1, 1]");
}

TEST(WindowTest, SamePaddingGoesToTheEndOrTheBeginning) {
  WindowAttrs window = Window(2, 1, 0);
  window.auto_pad = AutoPad::kSameUpper;
  auto axis = ResolveWindowAxis(window, 0, 7);
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->out, 7);
  EXPECT_EQ(axis->pad_begin, 0);
  EXPECT_EQ(axis->pad_end, 1);
  window.auto_pad = AutoPad::kSameLower;
  axis = ResolveWindowAxis(window, 0, 7);
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->pad_begin, 1);
  EXPECT_EQ(axis->pad_end, 0);
  window.stride = {3, 3};
  window.auto_pad = AutoPad::kSameUpper;
  axis = ResolveWindowAxis(window, 1, 7);
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->out, 3);
  EXPECT_EQ(axis->pad_begin + axis->pad_end, 1);
  window.pads = {5, 5, 5, 5};
  window.auto_pad = AutoPad::kValid;  // pads are ignored
  axis = ResolveWindowAxis(window, 1, 7);
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->out, 2);
}

TEST(WindowTest, GlobalAveragePoolLeavesOnePixel) {
  GraphBuilder b;
  const ValueId in = b.Input({2, 5, 7, 9});
  EXPECT_EQ(ShapeText(b.Output(b.Node(OpType::kGlobalAveragePool, {in}))), "[2, 5, 1, 1]");
}

}  // namespace
}  // namespace inkread
