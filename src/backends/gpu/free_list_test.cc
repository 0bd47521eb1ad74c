#include "backends/gpu/free_list.h"

#include <gtest/gtest.h>

namespace inkread::gpu {
namespace {

struct Memory {
  uint64_t size = 0;
  uint64_t work_bytes() const { return size; }
};

TEST(FreeListTest, TheSmallestThatFitsIsTakenElseTheLargest) {
  FreeList<Memory> list;
  EXPECT_EQ(list.Take(1), nullptr);
  for (uint64_t size : {50, 10, 30}) list.Return(std::make_unique<Memory>(Memory{size}));
  EXPECT_EQ(list.Take(20)->size, 30u);
  EXPECT_EQ(list.Take(60)->size, 50u);  // nothing fits: what has to grow least
  EXPECT_EQ(list.Take(5)->size, 10u);
  EXPECT_EQ(list.Take(5), nullptr);
}

TEST(FreeListTest, BlocksGetRoomToGrowWithinWhatMayBe) {
  EXPECT_EQ(WithHeadroom(100, 1000), 125u);
  EXPECT_EQ(WithHeadroom(100, 110), 110u);
  EXPECT_EQ(WithHeadroom(100, 90), 100u);  // refused by whoever makes it
}

}  // namespace
}  // namespace inkread::gpu
