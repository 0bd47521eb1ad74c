#include <gtest/gtest.h>

#include "schedule/schedule.h"

namespace inkread {
namespace {

TEST(PrintScheduleTest, PrintsOneLineAStepWithOperandsAndEpilogue) {
  Schedule s;
  s.network = "net.onnx";
  s.input = {1, 4, 6, 3};
  s.output = {1, 1, 1, 16};
  s.arena_bytes = 4096;
  s.weights_bytes = 8192;
  s.macs = 10;
  Step conv;
  ConvParams p{};
  p.kh = p.kw = 3;
  p.stride_h = 2;
  p.stride_w = 1;
  p.pad_top = p.pad_left = 1;
  conv.params = p;
  conv.epilogue.has_bias = 1;
  conv.epilogue.activation = INKREAD_ACTIVATION_CLIP;
  conv.epilogue.alpha = 0;
  conv.epilogue.beta = 6;
  conv.reads[0] = {Space::kInput, 0, {1, 4, 6, 3}, 3};
  conv.weights[0] = {Space::kWeights, 64, {1, 1, 27, 16}, 16};
  conv.writes[0] = {Space::kArena, 128, {1, 2, 6, 16}, 48};
  s.steps.push_back(conv);
  Step pool;
  pool.params = GlobalPoolParams{1, 2, 6, 16, 48};
  pool.level = 1;
  pool.reads[0] = conv.writes[0];
  pool.writes[0] = {Space::kOutput, 0, {1, 1, 1, 16}, 16};
  s.steps.push_back(pool);
  EXPECT_EQ(
      PrintSchedule(s),
      "net.onnx [1,4,6,3] -> [1,1,1,16] arena=4096 weights=8192 macs=10\n"
      "0 @0 conv 3x3/2x1 pad=1,1 +bias clip(0,6) x=input+0 [1,4,6,3] w=w+64 [1,1,27,16] y=arena+128 [1,2,6,16]/48\n"
      "1 @1 global_pool x=arena+128 [1,2,6,16]/48 y=output+0 [1,1,1,16]\n");
}

TEST(StepKindNameTest, IsTheStemOfTheKind) {
  EXPECT_STREQ(StepKindName(StepKind::kDepthwiseConv), "depthwise_conv");
  EXPECT_STREQ(StepKindName(StepKind::kCtcHead), "ctc_head");
}

}  // namespace
}  // namespace inkread
