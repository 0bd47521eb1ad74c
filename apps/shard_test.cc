#include "apps/shard.h"

#include <gtest/gtest.h>

#include <array>

namespace inkread {
namespace {

// Files are spread by it on machines that may run different versions, so it never changes.
TEST(ShardTest, TheHashIsTheSameForEver) {
  EXPECT_EQ(NameHash(""), 0xf52a15e9a9b5e89bu);
  EXPECT_EQ(NameHash("a"), 0x02c0bdbf481420f8u);
  EXPECT_EQ(NameHash("2026/scan_000001.jpg"), 0xed6996e97407fb04u);
}

TEST(ShardTest, EachNameIsInOneShardAndShardsAreOfAboutOneSize) {
  constexpr int kNames = 3000;
  for (const uint64_t count : {1, 2, 3, 7}) {
    std::array<int, 7> sizes = {};
    for (int i = 0; i < kNames; ++i) {
      int num_shards = 0;
      for (uint64_t index = 0; index < count; ++index) {
        if (!Shard{index, count}.Has("page_" + std::to_string(2 * i) + ".png")) continue;
        ++num_shards;
        ++sizes[index];
      }
      EXPECT_EQ(num_shards, 1);
    }
    for (uint64_t index = 0; index < count; ++index) {
      EXPECT_NEAR(sizes[index], kNames / static_cast<int>(count), 150) << index << " of " << count;
    }
  }
}

TEST(ShardTest, IsWrittenAsItsNumberAndTheirCount) {
  const Result<Shard> shard = ParseShard("2/8");
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ(shard->index, 1u);
  EXPECT_EQ(shard->count, 8u);
  for (const char* wrong : {"", "/", "1", "1/", "/2", "0/2", "3/2", "1/0", "-1/2", "1/2x", "1 /2", "x/2", "1/1000001",
                            "1/18446744073709551616"}) {
    EXPECT_EQ(ParseShard(wrong).status().code(), StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace inkread
