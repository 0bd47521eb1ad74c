#include "ocr/detector_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace inkread {
namespace {

constexpr uint64_t kLimit = 2 * DetectorRoom::kBytesPerThread;  // of a pool of two

// Callers, and a loop of the pool itself, that enter again and again.
void EnterFromManyThreads(ThreadPool& pool, DetectorRoom& room, uint64_t bytes, const std::function<void()>& inside) {
  const auto visit = [&] {
    DetectorRoom::Stay stay = room.Enter(bytes);
    ASSERT_TRUE(stay.workspace().input.Reserve(1000).ok());
    std::memset(stay.workspace().input.data(), 1, 1000);
    inside();
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) visit();
    });
  }
  pool.ParallelForThatWaits(50, [&](size_t) { visit(); });
  for (std::thread& caller : callers) caller.join();
}

int MostInside(uint64_t bytes) {
  ThreadPool pool(2);
  DetectorRoom room(&pool);
  std::atomic<int> inside = 0, most = 0;
  EnterFromManyThreads(pool, room, bytes, [&] {
    const int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    pool.ParallelFor(3, [](size_t) { std::this_thread::yield(); });
    --inside;
  });
  return most;
}

TEST(DetectorRoomTest, AdmitsNoMoreThanItsLimit) {
  EXPECT_LE(MostInside(kLimit / 3), 3);
  EXPECT_LE(MostInside(kLimit / 2 + 1), 1);
}

TEST(DetectorRoomTest, AnImageLargerThanTheLimitIsAloneInside) { EXPECT_EQ(MostInside(kLimit * 10), 1); }

TEST(DetectorRoomTest, SmallImagesAreInsideTogether) {
  ThreadPool pool(2);
  DetectorRoom room(&pool);
  DetectorRoom::Stay first = room.Enter(1000);
  DetectorRoom::Stay second = room.Enter(1000);
  EXPECT_NE(&first.workspace(), &second.workspace());
}

TEST(DetectorRoomTest, ASmallImageDoesNotPassALargeOneThatWaits) {
  ThreadPool pool(2);
  DetectorRoom room(&pool);
  std::vector<int> order;
  std::thread large, small;
  {
    DetectorRoom::Stay first = room.Enter(kLimit / 2);
    large = std::thread([&] {
      DetectorRoom::Stay stay = room.Enter(kLimit);
      order.push_back(1);
    });
    while (room.num_waiting() < 1) std::this_thread::yield();
    small = std::thread([&] {
      DetectorRoom::Stay stay = room.Enter(1);
      order.push_back(2);
    });
    while (room.num_waiting() < 2) std::this_thread::yield();
  }
  large.join();
  small.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(DetectorRoomTest, TheNextImageFindsTheMemoryOfTheLast) {
  ThreadPool pool(1);
  DetectorRoom room(&pool);
  const std::byte* data = nullptr;
  {
    DetectorRoom::Stay stay = room.Enter(1);
    ASSERT_TRUE(stay.workspace().input.Reserve(size_t{3} << 20).ok());
    data = stay.workspace().input.data();
  }
  EXPECT_EQ(room.Enter(1).workspace().input.data(), data);
}

TEST(DetectorRoomTest, ALargeImageLeavesLittleMemoryAndFindsNoOtherImages) {
  ThreadPool pool(1);
  DetectorRoom room(&pool);
  constexpr size_t kLarge = size_t{60} << 20;
  {
    DetectorRoom::Stay small = room.Enter(1);
    ASSERT_TRUE(small.workspace().input.Reserve(1000).ok());
  }
  {
    DetectorRoom::Stay large = room.Enter(kLimit);
    EXPECT_EQ(large.workspace().input.data(), nullptr);
    ASSERT_TRUE(large.workspace().input.Reserve(kLarge).ok());
    std::memset(large.workspace().input.data(), 1, kLarge);
  }
  DetectorRoom::Stay next = room.Enter(1);
  ASSERT_EQ(next.workspace().input.size_bytes(), kLarge);
  EXPECT_EQ(next.workspace().input.data()[0], std::byte{1});
  EXPECT_EQ(next.workspace().input.data()[kLarge - 1], std::byte{0});  // given back to the system
}

}  // namespace
}  // namespace inkread
