#include "backends/cpu/arena_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace inkread::cpu {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

std::unique_ptr<AlignedBuffer> Filled(std::unique_ptr<AlignedBuffer> block) {
  std::memset(block->data(), 1, block->size_bytes());
  return block;
}

TEST(ArenaPoolTest, ABlockIsUsedAgain) {
  ArenaPool pool;
  for (size_t size : {3 * kMegabyte, 40 * kMegabyte}) {
    std::unique_ptr<AlignedBuffer> block = pool.Take(size);
    ASSERT_GE(block->size_bytes(), size);
    const std::byte* const data = block->data();
    pool.Return(std::move(block));
    EXPECT_EQ(pool.Take(size - kMegabyte)->data(), data);
  }
}

TEST(ArenaPoolTest, TheSmallestThatFitsIsTaken) {
  ArenaPool pool;
  auto five = pool.Take(5 * kMegabyte), three = pool.Take(3 * kMegabyte), nine = pool.Take(9 * kMegabyte);
  const std::byte* const data = five->data();
  pool.Return(std::move(three));
  pool.Return(std::move(nine));
  pool.Return(std::move(five));
  EXPECT_EQ(pool.Take(4 * kMegabyte)->data(), data);
}

TEST(ArenaPoolTest, LinesAndImagesHaveTheirOwnBlocks) {
  ArenaPool pool;
  auto large = pool.Take(80 * kMegabyte);
  const std::byte* const data = large->data();
  pool.Return(std::move(large));
  EXPECT_EQ(pool.Take(3 * kMegabyte)->size_bytes(), 3 * kMegabyte);
  EXPECT_EQ(pool.Take(70 * kMegabyte)->data(), data);
}

// What has been given back to the system reads as zeros.
TEST(ArenaPoolTest, ABlockKeepsItsMemoryBetweenRunsThatNeedLess) {
  ArenaPool pool;
  pool.Return(Filled(pool.Take(90 * kMegabyte)));
  pool.Return(pool.Take(50 * kMegabyte));
  const std::unique_ptr<AlignedBuffer> block = pool.Take(90 * kMegabyte);
  EXPECT_EQ(block->data()[50 * kMegabyte - 1], std::byte{1});
  EXPECT_EQ(block->data()[90 * kMegabyte - 1], std::byte{1});
}

TEST(ArenaPoolTest, AnIdleBlockKeepsOnlySoMuch) {
  ArenaPool pool;
  pool.Return(Filled(pool.Take(200 * kMegabyte)));
  const std::unique_ptr<AlignedBuffer> block = pool.Take(200 * kMegabyte);
  EXPECT_EQ(block->data()[90 * kMegabyte], std::byte{1});
  EXPECT_EQ(block->data()[199 * kMegabyte], std::byte{0});
}

TEST(ArenaPoolTest, WithoutMemoryThereIsNoBlock) { EXPECT_EQ(ArenaPool().Take(size_t{1} << 60), nullptr); }

}  // namespace
}  // namespace inkread::cpu
