// What the layout of dispatches is told of our kernels.
#include "backends/vulkan/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace inkread::vulkan {
namespace {

TEST(TargetTest, EveryTileFitsIntoSharedMemory) {
  for (uint32_t subgroup_size : {32u, 64u}) {
    for (uint32_t shared_bytes : {16u << 10, 32u << 10, 48u << 10, 64u << 10}) {
      const gpu::GpuTarget target = TargetOf(Arithmetic::kMatrixUnits, subgroup_size, shared_bytes);
      ASSERT_FALSE(target.tuning.matrix.tiles.empty());
      std::vector<gpu::MatrixTile> tiles = target.tuning.matrix.tiles;
      tiles.push_back(target.tuning.ctc_head.tile);
      for (const gpu::MatrixTile& tile : tiles) {
        // A stage of 64 values of x and of the weights, each row with 8 more; or 16 rows of each subgroup's sums,
        // each with four more. ctc_head has three words a thread beside them.
        const uint32_t own = &tile == &tiles.back() ? tile.variant.threads * 12 : 0;
        EXPECT_LE(2 * (tile.rows * 72 + 64 * (tile.columns + 8)) + own, shared_bytes);
        EXPECT_LE(tile.variant.threads / subgroup_size * 16 * 4 * (tile.variant.matrix_columns * 16 + 4) + own,
                  shared_bytes);
        EXPECT_GT(tile.variant.threads, 0u);
        EXPECT_EQ(tile.rows * 8 % tile.variant.threads, 0u);  // vectors of 8 of a stage's x over threads
        EXPECT_EQ(tile.variant.threads % subgroup_size, 0u);
        EXPECT_EQ(target.tuning.ctc_head.chunk % tile.columns, 0u);
      }
    }
  }
}

TEST(TargetTest, WeightsAreF16ExceptWhereAllIsF32) {
  EXPECT_EQ(TargetOf(Arithmetic::kF32, 32, 1 << 15).traits.weights_form, uint32_t{INKREAD_WEIGHTS_F32});
  for (Arithmetic a : {Arithmetic::kF16, Arithmetic::kMatrixUnits, Arithmetic::kEmulatedUnits})
    EXPECT_EQ(TargetOf(a, 32, 1 << 15).traits.weights_form, uint32_t{INKREAD_WEIGHTS_F16});
}

// One pixel to many thousands: every tile, and both runs of depthwise_conv.
TEST(TargetTest, WhatAnySizeWantsIsKnownFromOne) {
  const auto variants_of = [](const std::vector<gpu::GpuTarget>& all, uint32_t side) {
    std::set<gpu::KernelVariant> variants;
    Operand x{Space::kArena, 0, {1, side, side, 64}, 64};
    x.element = INKREAD_ELEMENT_F16;
    Schedule schedule;
    schedule.input = schedule.output = {1, side, side, 64};
    Step conv;
    conv.params = ConvParams{1, side, side, 64, side, side, 64, 1, 1, 1, 1, 0, 0, 64, 64, 16, INKREAD_WEIGHTS_F16};
    Step depthwise;
    depthwise.params = DepthwiseConvParams{1, side, side, 64, side, side, 3, 3, 1, 1, 1, 1, 64, 64};
    for (Step* step : {&conv, &depthwise}) {
      step->reads[0] = step->writes[0] = x;
      step->weights[0] = {Space::kWeights, 0, {1, 1, 1, 64}, 64};
      schedule.steps.push_back(*step);
    }
    for (const gpu::GpuTarget& target : all) {
      const auto list = gpu::DispatchesOf(schedule, target);
      EXPECT_TRUE(list.ok());
      for (const gpu::Dispatch& dispatch : list->dispatches) variants.insert(dispatch.variant);
    }
    return variants;
  };
  const gpu::GpuTarget target = TargetOf(Arithmetic::kMatrixUnits, 32, 48 << 10);
  const auto expected = variants_of(ForOtherSizes(target), 7);
  EXPECT_EQ(expected.size(), target.tuning.matrix.tiles.size() + 2);
  std::set<gpu::KernelVariant> seen;
  for (uint32_t side : {1, 7, 20, 60, 100, 150, 300, 500, 900}) seen.merge(variants_of({target}, side));
  EXPECT_GT(seen.size(), 4u);
  EXPECT_TRUE(std::includes(expected.begin(), expected.end(), seen.begin(), seen.end()));
}

}  // namespace
}  // namespace inkread::vulkan
