#include "planner/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace inkread {
namespace {

TEST(ArenaPlannerTest, BuffersAliveTogetherDoNotOverlap) {
  std::mt19937 random(1);
  double worst = 1;
  for (int round = 0; round < 200; ++round) {
    std::vector<ArenaBuffer> buffers(1 + random() % 60);
    for (ArenaBuffer& b : buffers) {
      b.size_bytes = random() % 10 == 0 ? 0 : 4 * (1 + random() % 5000);
      b.first_level = random() % 40;
      b.last_level = b.first_level + random() % 5;
    }
    const uint64_t size = PlaceInArena(buffers);
    uint64_t peak = 0;
    for (uint32_t level = 0; level < 50; ++level) {
      uint64_t alive = 0;
      for (const ArenaBuffer& b : buffers) {
        if (b.first_level <= level && level <= b.last_level) alive += (b.size_bytes + 63) / 64 * 64;
      }
      peak = std::max(peak, alive);
    }
    ASSERT_GE(size, peak);
    worst = std::max(worst, static_cast<double>(size) / static_cast<double>(std::max<uint64_t>(peak, 1)));
    for (size_t i = 0; i < buffers.size(); ++i) {
      const ArenaBuffer& a = buffers[i];
      ASSERT_EQ(a.offset_bytes % 64, 0u);
      ASSERT_LE(a.offset_bytes + a.size_bytes, size);
      for (size_t j = 0; j < i; ++j) {
        const ArenaBuffer& b = buffers[j];
        const bool together = a.first_level <= b.last_level && b.first_level <= a.last_level;
        const bool overlap =
            a.offset_bytes < b.offset_bytes + b.size_bytes && b.offset_bytes < a.offset_bytes + a.size_bytes;
        ASSERT_FALSE(together && overlap && a.size_bytes != 0 && b.size_bytes != 0);
      }
    }
  }
  std::printf("largest arena: %.3f of what is alive at once\n", worst);
  EXPECT_LT(worst, 1.5);
}

TEST(ArenaPlannerTest, ReusesASlotOnceItsLastReaderIsDone) {
  std::vector<ArenaBuffer> chain = {{640, 0, 1, 0}, {640, 1, 2, 0}, {640, 2, 3, 0}};
  EXPECT_EQ(PlaceInArena(chain), 1280u);
  EXPECT_EQ(chain[0].offset_bytes, chain[2].offset_bytes);
  EXPECT_NE(chain[0].offset_bytes, chain[1].offset_bytes);
}

TEST(ArenaPlannerTest, TakesTheTightestGap) {
  // When the last comes, what the second and the fourth leave is free.
  std::vector<ArenaBuffer> buffers = {{512, 0, 9, 0}, {256, 0, 1, 0}, {192, 0, 9, 0},
                                      {128, 0, 1, 0}, {128, 0, 9, 0}, {128, 5, 6, 0}};
  PlaceInArena(buffers);
  EXPECT_EQ(buffers[5].offset_bytes, buffers[3].offset_bytes);
}

TEST(ArenaPlannerTest, NothingTakesNoRoom) {
  std::vector<ArenaBuffer> none;
  EXPECT_EQ(PlaceInArena(none), 0u);
}

}  // namespace
}  // namespace inkread
