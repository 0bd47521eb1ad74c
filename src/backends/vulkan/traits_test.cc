// What the rooms below are told of our kernels.
#include "backends/vulkan/traits.h"

#include <gtest/gtest.h>

namespace inkread::vulkan {
namespace {

TEST(TraitsTest, EveryTileFitsIntoWhatAGroupMayShare) {
  for (uint32_t lanes : {32u, 64u}) {
    for (uint32_t shared_bytes : {32u << 10, 48u << 10, 64u << 10}) {
      const gpu::GpuTraits traits = TraitsOf(Arithmetic::kMatrixUnits, lanes, shared_bytes);
      ASSERT_FALSE(traits.tiles.empty());
      std::vector<gpu::MatrixTile> tiles = traits.tiles;
      tiles.push_back(traits.ctc_tile);
      for (const gpu::MatrixTile& tile : tiles) {
        // Two stages of 32 values of x and of the weights, each row with 8 more.
        EXPECT_LE(2 * 2 * (tile.rows * 40 + 32 * (tile.columns + 8)), shared_bytes);
        EXPECT_EQ(tile.rows * 4 % tile.threads, 0u);  // eights of a stage's x over threads
        EXPECT_EQ(tile.threads % lanes, 0u);
        EXPECT_EQ(traits.ctc_chunk % tile.columns, 0u);
      }
    }
  }
}

TEST(TraitsTest, WeightsAreF16ExceptWhereAllIsF32) {
  EXPECT_EQ(TraitsOf(Arithmetic::kF32, 32, 1 << 15).weights_form, uint32_t{INKREAD_WEIGHTS_F32});
  for (Arithmetic a : {Arithmetic::kF16, Arithmetic::kMatrixUnits, Arithmetic::kEmulatedUnits})
    EXPECT_EQ(TraitsOf(a, 32, 1 << 15).weights_form, uint32_t{INKREAD_WEIGHTS_F16});
}

}  // namespace
}  // namespace inkread::vulkan
