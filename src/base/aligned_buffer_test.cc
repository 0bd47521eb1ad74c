#include "base/aligned_buffer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

namespace inkread {
namespace {

constexpr size_t kSizes[] = {
    1,                      // smallest
    64,                     // whole lines
    (size_t{2} << 20) - 1,  // the largest that comes from the heap
    size_t{2} << 20,        // the smallest that is mapped
    (size_t{5} << 20) + 3,  // ends within a large page
};

bool IsAligned(const AlignedBuffer& buffer) {
  return reinterpret_cast<uintptr_t>(buffer.data()) % AlignedBuffer::kAlignment == 0;
}

TEST(AlignedBufferTest, AllOfWhatWasAskedForCanBeWritten) {
  for (size_t size : kSizes) {
    AlignedBuffer buffer;
    ASSERT_TRUE(buffer.Reserve(size).ok());
    EXPECT_GE(buffer.size_bytes(), size);
    EXPECT_TRUE(IsAligned(buffer));
    std::memset(buffer.data(), 1, buffer.size_bytes());
  }
}

TEST(AlignedBufferTest, GrowsFromAnySizeToAnyLargerOne) {
  AlignedBuffer buffer;
  for (size_t size : kSizes) {
    ASSERT_TRUE(buffer.Reserve(size).ok());
    EXPECT_GE(buffer.size_bytes(), size);
    std::memset(buffer.data(), 1, buffer.size_bytes());
  }
}

TEST(AlignedBufferTest, ASmallerWishChangesNothing) {
  AlignedBuffer buffer;
  ASSERT_TRUE(buffer.Reserve(size_t{3} << 20).ok());
  buffer.data()[0] = std::byte{7};
  const std::byte* const data = buffer.data();
  ASSERT_TRUE(buffer.Reserve(100).ok());
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.data()[0], std::byte{7});
}

TEST(AlignedBufferTest, ReleasedItIsEmptyAndCanGrowAgain) {
  for (size_t size : kSizes) {
    AlignedBuffer buffer;
    ASSERT_TRUE(buffer.Reserve(size).ok());
    buffer.Release();
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(buffer.size_bytes(), 0u);
    ASSERT_TRUE(buffer.Reserve(size).ok());
    std::memset(buffer.data(), 1, size);
  }
}

size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(AlignedBufferTest, TrimmedItKeepsItsBeginningAndHoldsNoMoreMemory) {
  constexpr size_t kSize = size_t{64} << 20, kKept = (size_t{4} << 20) + 1;
  AlignedBuffer buffer;
  ASSERT_TRUE(buffer.Reserve(kSize).ok());
  std::memset(buffer.data(), 7, kSize);
  const size_t before = ResidentBytes();
  buffer.Trim(kKept);
  const size_t after = ResidentBytes();
  EXPECT_LE(after, before - std::min(before, size_t{50} << 20));  // both are 0 where there is no such file
  EXPECT_EQ(buffer.size_bytes(), kSize);
  for (size_t i = 0; i < kKept; ++i) ASSERT_EQ(buffer.data()[i], std::byte{7});
  std::memset(buffer.data(), 8, kSize);
}

TEST(AlignedBufferTest, ThereIsNothingToTrimOfASmallOneOrAnEmptyOne) {
  AlignedBuffer buffer;
  buffer.Trim(0);
  ASSERT_TRUE(buffer.Reserve(1000).ok());
  std::memset(buffer.data(), 7, 1000);
  buffer.Trim(0);
  EXPECT_EQ(buffer.data()[999], std::byte{7});
}

TEST(AlignedBufferTest, TheMovedOneIsEmpty) {
  AlignedBuffer from;
  ASSERT_TRUE(from.Reserve(size_t{3} << 20).ok());
  const std::byte* const data = from.data();
  AlignedBuffer to(std::move(from));
  EXPECT_EQ(to.data(), data);
  EXPECT_EQ(from.size_bytes(), 0u);  // NOLINT: that is what is tested
}

TEST(AlignedBufferTest, WhatCannotBeHadIsAnErrorThatLeavesItEmpty) {
  AlignedBuffer buffer;
  ASSERT_TRUE(buffer.Reserve(100).ok());
  for (size_t size : {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX - (size_t{2} << 20), size_t{1} << 62}) {
    EXPECT_EQ(buffer.Reserve(size).code(), StatusCode::kOutOfMemory);
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(buffer.size_bytes(), 0u);
  }
}

}  // namespace
}  // namespace inkread
