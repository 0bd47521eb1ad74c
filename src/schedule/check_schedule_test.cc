// A good schedule passes; each planted fault is found and named.
#include <gtest/gtest.h>

#include "schedule/schedule.h"

namespace inkread {
namespace {

Operand Arena(uint64_t offset, Shape shape, uint32_t ld = 0) {
  return {Space::kArena, offset, shape, ld == 0 ? shape.c : ld};
}

// conv [1,4,4,3] -> columns 0..7 of [1,4,4,16]; elementwise input -> columns 8..15 of it, on the same level; then
// global_pool and softmax of the whole.
Schedule Good() {
  Schedule s;
  s.network = "net";
  s.input = {1, 4, 4, 8};
  s.output = {1, 1, 1, 16};
  s.arena_bytes = 1024 + 64 + 256;
  s.weights_bytes = 8 * 8 * 4 + 8 * 4;
  Step conv;
  conv.node = "Conv_0";
  conv.params = ConvParams{1, 4, 4, 8, 4, 4, 8, 1, 1, 1, 1, 0, 0, 8, 16, 8, INKREAD_WEIGHTS_F32};
  conv.epilogue.has_bias = 1;
  conv.reads[0] = {Space::kInput, 0, {1, 4, 4, 8}, 8};
  conv.weights[0] = {Space::kWeights, 0, {1, 1, 8, 8}, 8};
  conv.weights[1] = {Space::kWeights, 256, {1, 1, 1, 8}, 8};
  conv.writes[0] = Arena(0, {1, 4, 4, 8}, 16);
  s.steps.push_back(conv);
  Step relu;
  relu.node = "Relu_1";
  relu.params = ElementwiseParams{1, 4, 4, 8, 8, 16};
  relu.epilogue.activation = INKREAD_ACTIVATION_RELU;
  relu.reads[0] = {Space::kInput, 0, {1, 4, 4, 8}, 8};
  relu.writes[0] = Arena(32, {1, 4, 4, 8}, 16);
  s.steps.push_back(relu);
  Step pool;
  pool.node = "Pool_2";
  pool.level = 1;
  pool.params = GlobalPoolParams{1, 4, 4, 16, 16};
  pool.reads[0] = Arena(0, {1, 4, 4, 16});
  pool.writes[0] = Arena(1024, {1, 1, 1, 16});
  pool.writes[1] = Arena(1088, {1, 4, 1, 16});
  s.steps.push_back(pool);
  Step softmax;
  softmax.node = "Softmax_3";
  softmax.level = 2;
  softmax.params = SoftmaxParams{1, 16, 16, 16};
  softmax.reads[0] = Arena(1024, {1, 1, 1, 16});
  softmax.writes[0] = {Space::kOutput, 0, {1, 1, 1, 16}, 16};
  s.steps.push_back(softmax);
  return s;
}

TEST(CheckScheduleTest, AcceptsAGoodSchedule) {
  const Status status = CheckSchedule(Good());
  EXPECT_TRUE(status.ok()) << status.message();
}

// The first three steps in a band, the tensor of the first two staying in it.
Schedule Banded() {
  Schedule s = Good();
  for (int i = 0; i < 3; ++i) s.steps[i].band = 1;
  s.steps[0].writes[0].band_value = s.steps[1].writes[0].band_value = s.steps[2].reads[0].band_value = 1;
  return s;
}

TEST(CheckScheduleTest, AcceptsABand) {
  const Status status = CheckSchedule(Banded());
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(CheckScheduleTest, FindsPlantedFaultsOfBands) {
  Schedule s = Banded();
  s.steps[1].band = 0;
  EXPECT_NE(CheckSchedule(s).message().find("other steps in between"), std::string::npos) << CheckSchedule(s).message();
  s = Banded();
  s.steps[3].band = 2;
  EXPECT_NE(CheckSchedule(s).message().find("cannot be in a band"), std::string::npos) << CheckSchedule(s).message();
  s = Banded();
  s.steps[0].writes[0].band_value = s.steps[1].writes[0].band_value = 0;
  EXPECT_NE(CheckSchedule(s).message().find("no earlier step"), std::string::npos) << CheckSchedule(s).message();
  // The mean lies where the second step still reads: fine level by level, not row by row.
  s = Banded();
  s.steps[1].reads[0] = Arena(1024, {1, 4, 4, 8});
  s.arena_bytes += 1024;
  s.steps[2].writes[1].offset_bytes = 1600;
  EXPECT_NE(CheckSchedule(s).message().find("comes into its band"), std::string::npos) << CheckSchedule(s).message();
  // Two tensors that leave the band in one place.
  s = Banded();
  s.steps[0].writes[0] = Arena(0, {1, 4, 4, 8}, 16);
  s.steps[0].writes[0].band_value = 2;
  s.steps[0].writes[0].leaves_band = true;
  s.steps[1].level = 1;
  s.steps[2].level = s.steps[3].level = 2;
  s.steps[1].writes[0].offset_bytes = 0;
  s.steps[1].writes[0].leaves_band = true;
  EXPECT_NE(CheckSchedule(s).message().find("gives away"), std::string::npos) << CheckSchedule(s).message();
}

TEST(CheckScheduleTest, AcceptsWhatTheContractLetsBeInPlace) {
  Schedule s = Good();
  s.steps[3].writes[0] = Arena(1024, {1, 1, 1, 16});
  const Status status = CheckSchedule(s);
  EXPECT_TRUE(status.ok()) << status.message();
}

struct PlantedFault {
  const char* why;
  void (*plant)(Schedule&);
  const char* expected;  // part of the message
};

const PlantedFault kPlantedFaults[] = {
    {"a write past the arena", [](Schedule& s) { s.steps[0].writes[0].offset_bytes = 1024; },
     "step 0 (conv, node 'Conv_0'): write 0 ends at"},
    {"a read past the input", [](Schedule& s) { s.steps[1].reads[0].offset_bytes = 4; }, "read 0 ends at"},
    {"weights past their block", [](Schedule& s) { s.weights_bytes -= 4; }, "weight 1 ends at"},
    {"too few weights", [](Schedule& s) { s.steps[0].weights[0].shape.w = 7; }, "weight 0 has 56 words, expected 64"},
    {"no weights", [](Schedule& s) { s.steps[0].weights[0] = {}; }, "weight 0 is missing"},
    {"bias that has_bias does not name", [](Schedule& s) { s.steps[0].epilogue.has_bias = 0; },
     "weight 1 must be absent"},
    {"a gate without operand", [](Schedule& s) { s.steps[1].epilogue.has_gate = 1; }, "read 1 is missing"},
    {"a residual without operand", [](Schedule& s) { s.steps[1].epilogue.has_residual = 1; }, "read 2 is missing"},
    {"an epilogue where there is none", [](Schedule& s) { s.steps[3].epilogue.activation = INKREAD_ACTIVATION_RELU; },
     "no epilogue"},
    {"an activation that does not exist", [](Schedule& s) { s.steps[1].epilogue.activation = 99; },
     "unknown activation"},
    {"no partial sums", [](Schedule& s) { s.steps[2].writes[1] = {}; }, "write 1 is missing"},
    {"another shape than the params say", [](Schedule& s) { s.steps[2].reads[0].shape.h = 3; }, "expected 16 x 16"},
    {"another ld than the params say", [](Schedule& s) { s.steps[1].writes[0].ld = 12; }, "has ld 12"},
    {"half an element", [](Schedule& s) { s.steps[2].writes[0].offset_bytes = 1026; }, "not a whole element"},
    {"16 bits outside the arena", [](Schedule& s) { s.steps[0].reads[0].element = INKREAD_ELEMENT_F16; },
     "not in the arena and not of its block's element"},
    {"16 bits beside 32", [](Schedule& s) { s.steps[0].writes[0].element = INKREAD_ELEMENT_F16; }, "several elements"},
    {"sums in 16 bits", [](Schedule& s) { s.steps[2].writes[1].element = INKREAD_ELEMENT_F16; }, "write 1 is not f32"},
    {"an element that does not exist", [](Schedule& s) { s.steps[2].writes[0].element = 9; }, "unknown element 9"},
    {"a write to the input", [](Schedule& s) { s.steps[1].writes[0].space = Space::kInput; }, "write 0"},
    {"a read from the weights",
     [](Schedule& s) {
       s.steps[3].reads[0] = {Space::kWeights, 0, {1, 1, 1, 16}, 16};
     },
     "among the weights"},
    {"two writers of one place on a level", [](Schedule& s) { s.steps[1].writes[0].offset_bytes = 0; },
     "writes what step 0"},
    {"a reader on its writer's level", [](Schedule& s) { s.steps[2].level = 0; }, "reads what step 0"},
    {"a writer on its reader's level",
     [](Schedule& s) {
       s.steps[3].level = 1;
       s.steps[3].reads[0] = {Space::kInput, 0, {1, 1, 1, 16}, 16};
       s.steps[3].writes[0] = Arena(512, {1, 1, 1, 16});
     },
     "writes what step 2 of the same level reads"},
    {"levels that run backwards", [](Schedule& s) { s.steps[0].level = 1; }, "backwards"},
    {"y across its own x",
     [](Schedule& s) {
       s.steps[3].writes[0] = Arena(1028, {1, 1, 1, 16});
     },
     "overlaps read 0"},
    {"no kind", [](Schedule& s) { s.steps[3].params = std::monostate{}; }, "no kind"},
    {"an empty stride", [](Schedule& s) { std::get<ConvParams>(s.steps[0].params).stride_w = 0; }, "stride is 0"},
};

TEST(CheckScheduleTest, FindsPlantedFaults) {
  for (const PlantedFault& fault : kPlantedFaults) {
    Schedule s = Good();
    fault.plant(s);
    const Status status = CheckSchedule(s);
    EXPECT_EQ(status.code(), StatusCode::kInternal) << fault.why;
    EXPECT_NE(status.message().find(fault.expected), std::string::npos) << fault.why << ": " << status.message();
  }
}

// image_warp of the input to a crop in the arena, then image_resize of the crop to the output.
Schedule Image() {
  Schedule s;
  s.network = "image";
  s.input = {1, 20, 30, 3};
  s.input_element = INKREAD_ELEMENT_U8;
  s.output = {1, 8, 10, 3};
  s.arena_bytes = 1024;
  s.weights_bytes = 32 * 32 * 16 * 2;
  Step warp;
  warp.params = ImageWarpParams{20, 30, 3, {0, 1, 2}, 6, 9, {}};
  warp.reads[0] = {Space::kInput, 0, {1, 20, 30, 3}, 3};
  warp.reads[0].element = INKREAD_ELEMENT_U8;
  warp.weights[0] = {Space::kWeights, 0, {1, 1, 1, 32 * 32 * 16 / 2}, 32 * 32 * 16 / 2};
  warp.writes[0] = Arena(0, {1, 6, 9, 4});
  warp.writes[0].element = INKREAD_ELEMENT_U8;
  s.steps.push_back(warp);
  Step resize;
  resize.level = 1;
  resize.params = ImageResizeParams{6, 9, 4, {0, 1, 2}, 0, 8, 10, 10, {}, {}, {}, 0, {}, 0};
  resize.reads[0] = warp.writes[0];
  resize.writes[0] = {Space::kOutput, 0, {1, 8, 10, 3}, 3};
  s.steps.push_back(resize);
  return s;
}

TEST(CheckScheduleTest, OnlyImageStepsHaveBytes) {
  EXPECT_TRUE(CheckSchedule(Image()).ok()) << CheckSchedule(Image()).message();
  Schedule s = Image();
  s.steps[0].writes[0].element = INKREAD_ELEMENT_F32;
  EXPECT_NE(CheckSchedule(s).message().find("write 0 is not bytes"), std::string::npos) << CheckSchedule(s).message();
  s = Image();
  s.steps[0].writes[0].offset_bytes = 2;
  EXPECT_NE(CheckSchedule(s).message().find("not aligned to 4"), std::string::npos) << CheckSchedule(s).message();
  s = Image();
  s.steps[1].writes[0] = Arena(512, {1, 8, 10, 3});
  s.steps[1].writes[0].element = INKREAD_ELEMENT_U8;
  EXPECT_NE(CheckSchedule(s).message().find("write 0 is bytes"), std::string::npos) << CheckSchedule(s).message();
  s = Good();
  s.steps[2].reads[0].element = INKREAD_ELEMENT_U8;
  EXPECT_NE(CheckSchedule(s).message().find("read 0 is bytes"), std::string::npos) << CheckSchedule(s).message();
  s = Good();
  s.steps[3].params = CopyParams{{1, 1, 1, 1, 16}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
  s.steps[3].reads[0].element = INKREAD_ELEMENT_U8;
  EXPECT_NE(CheckSchedule(s).message().find("read 0 is bytes"), std::string::npos) << CheckSchedule(s).message();
}

TEST(CheckScheduleTest, CopiesAreCheckedByTheirStrides) {
  Schedule s;
  s.network = "net";
  s.input = {1, 2, 3, 4};
  s.output = {1, 2, 3, 4};
  Step copy;
  copy.params = CopyParams{{1, 1, 4, 2, 3}, {0, 0, 1, 12, 4}, {0, 0, 6, 3, 1}};
  copy.reads[0] = {Space::kInput, 0, {1, 2, 3, 4}, 4};
  copy.writes[0] = {Space::kOutput, 0, {1, 4, 2, 3}, 3};
  s.steps.push_back(copy);
  EXPECT_TRUE(CheckSchedule(s).ok()) << CheckSchedule(s).message();
  std::get<CopyParams>(s.steps[0].params).x_stride[3] = 13;
  EXPECT_NE(CheckSchedule(s).message().find("read 0 ends at"), std::string::npos);
}

}  // namespace
}  // namespace inkread
