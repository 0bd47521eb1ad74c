// Steps as dispatches, without a device.
#include "backends/gpu/dispatch.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>

namespace inkread::gpu {
namespace {

Operand At(Space space, uint64_t offset_bytes) { return {space, offset_bytes, {1, 1, 1, 4}, 4}; }

// Of 16 by 16 threads.
MatrixTile TileOf(uint32_t thread_rows, uint32_t thread_columns) {
  return {thread_rows * 16, thread_columns * 16, {.thread_rows = thread_rows, .thread_columns = thread_columns}};
}

GpuTarget Target() {
  GpuTarget target;
  target.tuning.matrix.tiles = {TileOf(4, 4), TileOf(4, 2), TileOf(8, 1), TileOf(2, 2), TileOf(2, 1)};
  target.tuning.ctc_head.tile = TileOf(4, 4);
  return target;
}

template <typename Variant>
const Variant& As(const Dispatch& dispatch) {
  return std::get<Variant>(dispatch.variant.step);
}

// A schedule of 4 floats in, 8 floats out and 64 bytes of arena.
Schedule Empty() {
  Schedule s;
  s.network = "test";
  s.input = {1, 1, 1, 4};
  s.output = {1, 1, 1, 8};
  s.arena_bytes = 64;
  return s;
}

TEST(DispatchTest, OffsetsFollowTheParamsAndTheEpilogue) {
  Schedule s = Empty();
  Step step;
  step.params = ElementwiseParams{1, 1, 1, 4, 4, 4};
  step.epilogue = {1, INKREAD_ACTIVATION_RELU, 0.5f, 0.25f, 0, 1, 7, 1, 0};
  step.reads[0] = At(Space::kInput, 0);
  step.reads[2] = At(Space::kArena, 32);
  step.weights[1] = At(Space::kWeights, 128);
  step.writes[0] = At(Space::kOutput, 16);
  s.steps.push_back(step);
  const auto list = DispatchesOf(s, Target());
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->layout.input, 0u);
  EXPECT_EQ(list->layout.arena, 256u);
  EXPECT_EQ(list->layout.size_bytes, 512u);
  EXPECT_EQ(list->input_bytes, 16u);
  EXPECT_EQ(list->output_bytes, 32u);
  EXPECT_EQ(list->image_bytes, 0u);
  ASSERT_EQ(list->dispatches.size(), 1u);
  const Dispatch& d = list->dispatches[0];
  constexpr uint32_t kOffsets = (sizeof(ElementwiseParams) + sizeof(EpilogueParams)) / 4;
  EXPECT_EQ(d.num_push_constants, kOffsets + 6);
  EXPECT_EQ(
      std::memcmp(d.push_constants.data() + sizeof(ElementwiseParams) / 4, &step.epilogue, sizeof(EpilogueParams)), 0);
  EXPECT_EQ(d.push_constants[kOffsets], 0u);                   // x
  EXPECT_EQ(d.push_constants[kOffsets + 1], 0u);               // no gate
  EXPECT_EQ(d.push_constants[kOffsets + 2], (256u + 32) / 4);  // residual
  EXPECT_EQ(d.push_constants[kOffsets + 4], 128u / 4);         // bias
  EXPECT_EQ(d.push_constants[kOffsets + 5], 16u / 4);          // y
  // Operands of the run's memory only: neither the absent gate nor the weights.
  EXPECT_EQ(d.in_block, 1u << kOffsets | 1u << (kOffsets + 2));
  EXPECT_EQ(d.in_output, 1u << (kOffsets + 5));
  EXPECT_EQ(d.workgroups, 1u);
  // One that lies further on in its memory.
  const auto placed = PushConstantsAt(d, {1024, 4096});
  EXPECT_EQ(placed[kOffsets], 256u);
  EXPECT_EQ(placed[kOffsets + 1], 0u);
  EXPECT_EQ(placed[kOffsets + 2], 256u + (256u + 32) / 4);
  EXPECT_EQ(placed[kOffsets + 4], 128u / 4);
  EXPECT_EQ(placed[kOffsets + 5], (4096u + 16) / 4);
}

// Large products take large tiles, narrow ones tiles that waste no column, small ones tiles that keep the device busy.
TEST(DispatchTest, TheTileSuitsTheProduct) {
  const auto tile = [](uint32_t pixels, uint32_t oc) {
    Schedule s = Empty();
    Step step;
    step.params = ConvParams{1, 1, pixels, 8, 1, pixels, oc, 1, 1, 1, 1, 0, 0, 8, oc, 16, INKREAD_WEIGHTS_F32};
    s.steps.push_back(step);
    const Dispatch d = DispatchesOf(s, Target())->dispatches.at(0);
    const auto& variant = As<MatrixVariant>(d);
    const uint32_t rows = variant.thread_rows * 16, columns = variant.thread_columns * 16;
    EXPECT_EQ(d.workgroups, uint64_t{(pixels + rows - 1) / rows} * ((oc + columns - 1) / columns));
    return std::pair(rows, columns);
  };
  EXPECT_EQ(tile(100000, 256), std::pair(64u, 64u));
  EXPECT_EQ(tile(100000, 32), std::pair(64u, 32u));
  EXPECT_EQ(tile(100000, 12), std::pair(128u, 16u));
  EXPECT_EQ(tile(2400, 64), std::pair(32u, 32u));
  EXPECT_EQ(tile(600, 8), std::pair(32u, 16u));
}

// Offsets count elements: two bytes for 16-bit values and weights of a 16-bit form, four for the rest.
TEST(DispatchTest, OffsetsCountElements) {
  Schedule s = Empty();
  Step step;
  step.params = ConvParams{1, 1, 1, 8, 1, 1, 8, 1, 1, 1, 1, 0, 0, 8, 8, 16, INKREAD_WEIGHTS_F16};
  step.reads[0] = {Space::kArena, 16, {1, 1, 1, 8}, 8};
  step.writes[0] = {Space::kArena, 32, {1, 1, 1, 8}, 8};
  step.reads[0].element = step.writes[0].element = INKREAD_ELEMENT_F16;
  step.weights[0] = {Space::kWeights, 128, {1, 1, 8, 16}, 16};
  step.weights[1] = At(Space::kWeights, 256);
  s.steps.push_back(step);
  EXPECT_EQ(DispatchesOf(s, Target()).status().code(), StatusCode::kInternal);  // kernels of another form
  GpuTarget target = Target();
  target.traits.weights_form = INKREAD_WEIGHTS_F16;
  const auto list = DispatchesOf(s, target);
  ASSERT_TRUE(list.ok());
  const Dispatch& d = list->dispatches.at(0);
  EXPECT_EQ(d.variant.element, uint32_t{INKREAD_ELEMENT_F16});
  constexpr uint32_t kOffsets = (sizeof(ConvParams) + sizeof(EpilogueParams)) / 4;
  const auto placed = PushConstantsAt(d, {1024, 4096});
  EXPECT_EQ(placed[kOffsets], (1024u + 256 + 16) / 2);
  EXPECT_EQ(placed[kOffsets + 3], 128u / 2);
  EXPECT_EQ(placed[kOffsets + 4], 256u / 4);
  EXPECT_EQ(placed[kOffsets + 5], (1024u + 256 + 32) / 2);
}

TEST(DispatchTest, ThreadsTakeSeveralChannelsWhereAllOperandsAllowIt) {
  GpuTarget target = Target();
  target.traits.vector_width = 4;
  const auto width = [&target](uint32_t c, uint32_t ld, uint64_t offset_bytes) {
    Schedule s = Empty();
    Step step;
    step.params = ElementwiseParams{1, 1, 1000, c, ld, c};
    step.reads[0] = {Space::kInput, offset_bytes, {1, 1, 1000, c}, ld};
    step.writes[0] = {Space::kOutput, 0, {1, 1, 1000, c}, c};
    s.steps.push_back(step);
    const Dispatch d = DispatchesOf(s, target)->dispatches.at(0);
    const uint32_t vector_width = As<VectorVariant>(d).vector_width;
    EXPECT_EQ(d.workgroups, (1000 * c / vector_width + 255) / 256);
    return vector_width;
  };
  EXPECT_EQ(width(8, 8, 0), 4u);
  EXPECT_EQ(width(8, 12, 16), 4u);
  EXPECT_EQ(width(6, 8, 0), 1u);
  EXPECT_EQ(width(8, 10, 0), 1u);
  EXPECT_EQ(width(8, 8, 4), 1u);
}

TEST(DispatchTest, ACopyThatLeavesNoGapsWritesTheOutputWhole) {
  Schedule s = Empty();
  Step step;
  step.params = CopyParams{{1, 1, 1, 2, 4}, {0, 0, 0, 4, 1}, {0, 0, 0, 4, 1}};
  step.reads[0] = {Space::kArena, 0, {1, 1, 1, 8}, 8};
  step.writes[0] = {Space::kOutput, 0, {1, 1, 1, 8}, 8};
  s.steps.push_back(step);
  EXPECT_TRUE(DispatchesOf(s, Target())->writes_whole_output);
  s.steps[0].params = CopyParams{{1, 1, 1, 2, 2}, {0, 0, 0, 2, 1}, {0, 0, 0, 6, 1}};
  EXPECT_FALSE(DispatchesOf(s, Target())->writes_whole_output);
}

TEST(DispatchTest, AnOutputThatOneStepCoversIsWrittenWhole) {
  Schedule s = Empty();
  Step step;
  step.params = SoftmaxParams{1, 8, 8, 8};
  step.reads[0] = {Space::kArena, 0, {1, 1, 1, 8}, 8};
  step.writes[0] = {Space::kOutput, 0, {1, 1, 1, 8}, 8};
  s.steps.push_back(step);
  EXPECT_TRUE(DispatchesOf(s, Target())->writes_whole_output);
  s.steps[0].writes[0].shape.c = 7;
  EXPECT_FALSE(DispatchesOf(s, Target())->writes_whole_output);
}

// The threads of both phases of ctc_head together have a row each at least.
TEST(DispatchTest, TheHeadsJoinCoversAllRows) {
  for (uint32_t tile_threads : {0, 64}) {
    GpuTarget target = Target();
    target.tuning.ctc_head.tile.variant.threads = tile_threads;
    Schedule s = Empty();
    Step step;
    step.params = CtcHeadParams{1000, 4, 600, 4, 16, INKREAD_WEIGHTS_F32};
    s.steps.push_back(step);
    const auto list = DispatchesOf(s, target);
    ASSERT_TRUE(list.ok());
    const Dispatch& join = list->dispatches.at(1);
    EXPECT_GE(join.workgroups * join.threads, 1000u);
    EXPECT_LT((join.workgroups - 1) * join.threads, 1000u);
  }
}

// Two heads at one level must not share scratch; one at a later level may use it again.
TEST(DispatchTest, ScratchIsAStepsOwnWithinItsLevel) {
  Schedule s = Empty();
  for (uint32_t level : {0, 0, 1}) {
    Step step;
    step.params = CtcHeadParams{10, 4, 600, 4, 16, INKREAD_WEIGHTS_F32};
    step.reads[0] = At(Space::kInput, 0);
    step.weights[0] = step.weights[1] = At(Space::kWeights, 0);
    step.writes[0] = At(Space::kOutput, 0);
    step.level = level;
    s.steps.push_back(step);
  }
  const auto list = DispatchesOf(s, Target());
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->dispatches.size(), 6u);           // two phases each
  const uint64_t scratch_words = 10 * (2 * 3 + 1);  // two chunks of classes, the last class
  const auto scratch = [&](size_t i) {
    return list->dispatches[i].push_constants[list->dispatches[i].num_push_constants - 1];
  };
  EXPECT_EQ(scratch(0), list->layout.scratch / 4);
  EXPECT_EQ(scratch(1), scratch(0));
  EXPECT_EQ(scratch(2), scratch(0) + scratch_words);
  EXPECT_EQ(scratch(4), scratch(0));
  EXPECT_GE(list->layout.size_bytes - list->layout.scratch, scratch_words * 2 * 4);
  EXPECT_EQ(list->dispatches[1].phase, 1u);
  EXPECT_EQ(list->dispatches[1].step, 0u);
}

// Long runs where there is much to do, short ones where there would be few workgroups.
TEST(DispatchTest, ARunOfDepthwiseConvAdapts) {
  GpuTarget target = Target();
  target.tuning.depthwise_conv.run = 4;
  const auto run_of = [&target](uint32_t side) {
    Schedule s = Empty();
    Step step;
    step.params = DepthwiseConvParams{1, side, side, 8, side, side, 3, 5, 1, 2, 1, 2, 8, 8};
    s.steps.push_back(step);
    return DispatchesOf(s, target)->dispatches.at(0);
  };
  EXPECT_EQ(As<DepthwiseConvVariant>(run_of(1000)).run, 0u);  // always the same, and the kernel knows
  EXPECT_EQ(run_of(1000).workgroups, 1000u * 250 * 8 / 256 + 1);
  target.tuning.depthwise_conv.min_run = 1;
  const Dispatch d = run_of(1000);
  EXPECT_EQ(As<DepthwiseConvVariant>(d).kw, 5u);
  EXPECT_EQ(As<DepthwiseConvVariant>(d).stride_w, 2u);
  EXPECT_EQ(As<DepthwiseConvVariant>(d).run, 4u);
  EXPECT_EQ(As<DepthwiseConvVariant>(run_of(20)).run, 1u);
}

TEST(DispatchTest, MatrixKernelsAreSpecialisedOnTheirOperands) {
  GpuTarget target = Target();
  uint32_t activation = INKREAD_ACTIVATION_GELU;
  const auto flags = [&](uint32_t ic, uint32_t oc, uint64_t x, uint64_t w, uint64_t y) {
    Schedule s = Empty();
    Step step;
    step.params = ConvParams{1, 1, 9, ic, 1, 9, oc, 1, 1, 1, 1, 0, 0, ic, oc, 16, INKREAD_WEIGHTS_F32};
    step.reads[0] = {Space::kArena, x, {1, 1, 9, ic}, ic};
    step.weights[0] = {Space::kWeights, w, {1, 1, 1, 1}, 1};
    step.writes[0] = {Space::kArena, y, {1, 1, 9, oc}, oc};
    step.epilogue.activation = activation;
    s.steps.push_back(step);
    const auto variant = As<MatrixVariant>(DispatchesOf(s, target)->dispatches.at(0));
    return std::array{variant.x_aligned_8, variant.weights_aligned_8, variant.y_aligned_4, variant.is_pointwise,
                      variant.simple_activation};
  };
  using Flags = std::array<uint32_t, 5>;
  EXPECT_EQ(flags(8, 4, 0, 0, 0), (Flags{0, 0, 0, 0, 0}));
  target.tuning.matrix.specialises_operands = true;
  EXPECT_EQ(flags(8, 4, 0, 0, 0), (Flags{1, 1, 1, 1, 1}));
  EXPECT_EQ(flags(12, 4, 0, 0, 0), (Flags{0, 1, 1, 1, 1}));
  EXPECT_EQ(flags(8, 4, 16, 0, 0), (Flags{0, 1, 1, 1, 1}));
  EXPECT_EQ(flags(8, 4, 0, 16, 0), (Flags{1, 0, 1, 1, 1}));
  EXPECT_EQ(flags(8, 5, 0, 0, 0), (Flags{1, 1, 0, 1, 1}));
  EXPECT_EQ(flags(8, 4, 0, 0, 4), (Flags{1, 1, 0, 1, 1}));
  activation = INKREAD_ACTIVATION_SWISH;
  EXPECT_EQ(flags(8, 4, 0, 0, 0), (Flags{1, 1, 1, 1, 0}));
}

// Metal's way: blocks of 8 rows by 8 terms come from device memory where x's rows are the product's.
TEST(DispatchTest, MatricesAreLoadedDirectlyInWholeBlocks) {
  GpuTarget target = Target();
  const auto loads_directly = [&target](uint32_t pixels, uint32_t ic, uint32_t kw) {
    Schedule s = Empty();
    Step step;
    step.params = ConvParams{1, 1, pixels, ic, 1, pixels, 4, 1, kw, 1, 1, 0, kw / 2, ic, 4, 16, INKREAD_WEIGHTS_F32};
    s.steps.push_back(step);
    return As<MatrixVariant>(DispatchesOf(s, target)->dispatches.at(0)).loads_directly;
  };
  EXPECT_EQ(loads_directly(8, 8, 1), 0u);
  target.tuning.matrix.direct_block = 8;
  EXPECT_EQ(loads_directly(8, 8, 1), 1u);
  EXPECT_EQ(loads_directly(7, 8, 1), 0u);
  EXPECT_EQ(loads_directly(8, 12, 1), 0u);
  EXPECT_EQ(loads_directly(8, 8, 3), 0u);
}

TEST(DispatchTest, DenseCopiesTakeSeveralElementsAThread) {
  GpuTarget target = Target();
  target.tuning.copy.vector_width = 4;
  Schedule s = Empty();
  Step step;
  step.params = CopyParams{{1, 1, 1, 250, 8}, {0, 0, 0, 8, 1}, {0, 0, 0, 8, 1}};
  step.reads[0] = {Space::kInput, 0, {1, 1, 1, 2000}, 2000};
  step.writes[0] = {Space::kArena, 0, {1, 1, 1, 2000}, 2000};
  s.steps.push_back(step);
  EXPECT_EQ(As<CopyVariant>(DispatchesOf(s, target)->dispatches.at(0)).vector_width, 4u);
  EXPECT_EQ(DispatchesOf(s, target)->dispatches.at(0).workgroups, 2u);
  s.steps[0].params = CopyParams{{1, 1, 1, 250, 8}, {0, 0, 0, 8, 1}, {0, 0, 0, 1, 250}};
  EXPECT_EQ(As<CopyVariant>(DispatchesOf(s, target)->dispatches.at(0)).vector_width, 1u);
}

// A crop of an image of 5 x 3 px in 3 bytes, and the crop resized: what a recogniser's line takes.
TEST(DispatchTest, ImagesAreNoPartOfTheBlock) {
  Schedule s;
  s.network = "test";
  s.input = {1, 3, 5, 3};
  s.input_element = INKREAD_ELEMENT_U8;
  s.output = {1, 48, 100, 3};
  s.arena_bytes = 512;
  Step warp, resize;
  warp.params = ImageWarpParams{3, 5, 3, {0, 1, 2}, 10, 12, {}};
  warp.reads[0] = {Space::kInput, 0, s.input, 3};
  warp.weights[0] = {Space::kWeights, 64, {1, 1, 1, 8192}, 8192};
  warp.writes[0] = {Space::kArena, 8, {1, 10, 12, 4}, 4};
  resize.params = ImageResizeParams{10, 12, 4, {0, 1, 2}, 0, 48, 90, 100, {}, {}, {}, 0, {}, 0};
  resize.reads[0] = warp.writes[0];
  resize.writes[0] = {Space::kOutput, 0, s.output, 3};
  for (Operand* o : {&warp.reads[0], &warp.writes[0], &resize.reads[0]}) o->element = INKREAD_ELEMENT_U8;
  resize.level = 1;
  s.steps = {warp, resize};
  const auto list = DispatchesOf(s, Target());
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->input_bytes, 0u);
  EXPECT_EQ(list->image_bytes, 45u);
  EXPECT_EQ(list->layout.arena, 0u);
  EXPECT_EQ(list->layout.size_bytes, 512u);
  EXPECT_TRUE(list->writes_whole_output);
  ASSERT_EQ(list->dispatches.size(), 2u);
  const Dispatch& first = list->dispatches[0];
  EXPECT_EQ(As<ImageVariant>(first).x_is_image, 1u);
  EXPECT_EQ(first.workgroups, 1u);  // a thread a pixel
  constexpr uint32_t kWarp = sizeof(ImageWarpParams) / 4, kResize = sizeof(ImageResizeParams) / 4;
  ASSERT_EQ(first.num_push_constants, kWarp + 3);
  const auto first_words = PushConstantsAt(first, {1024, 4096});
  EXPECT_EQ(first_words[kWarp], 0u);
  EXPECT_EQ(first_words[kWarp + 1], 64u / 4);
  EXPECT_EQ(first_words[kWarp + 2], (1024u + 8) / 4);
  const Dispatch& second = list->dispatches[1];
  EXPECT_EQ(As<ImageVariant>(second).x_is_image, 0u);
  EXPECT_EQ(second.workgroups, 48u * 100 / 256 + 1);
  ASSERT_EQ(second.num_push_constants, kResize + 3);
  const auto second_words = PushConstantsAt(second, {1024, 4096});
  EXPECT_EQ(second_words[kResize], (1024u + 8) / 4);
  EXPECT_EQ(second_words[kResize + 1], 0u);
  EXPECT_EQ(second_words[kResize + 2], 4096u / 4);

  // They are what can be compiled ahead; so is the image itself resized.
  Schedule whole = s;
  whole.steps = {resize};
  whole.steps[0].reads[0] = warp.reads[0];
  const auto of_whole = DispatchesOf(whole, Target());
  ASSERT_TRUE(of_whole.ok());
  const std::vector<Dispatch> ahead = ImageKernels(Target());
  ASSERT_EQ(ahead.size(), 3u);
  const Dispatch* const kernels[] = {&of_whole->dispatches[0], &first, &second};
  for (size_t i = 0; i < ahead.size(); ++i) {
    EXPECT_EQ(ahead[i].variant, kernels[i]->variant) << i;
    EXPECT_EQ(ahead[i].threads, kernels[i]->threads) << i;
  }
}

TEST(DispatchTest, WeightsOfAnotherFormAreOurMistake) {
  Schedule s = Empty();
  Step step;
  step.params = CtcHeadParams{1, 4, 6, 4, 16, INKREAD_WEIGHTS_BF16};
  s.steps.push_back(step);
  EXPECT_EQ(DispatchesOf(s, Target()).status().code(), StatusCode::kInternal);
}

TEST(DispatchTest, What32BitsCannotCountIsUnsupported) {
  Schedule s = Empty();
  s.arena_bytes = uint64_t{1} << 35;
  EXPECT_EQ(DispatchesOf(s, Target()).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace inkread::gpu
