#include "ocr/detector_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace inkread {
namespace {

constexpr uint64_t kLimit = DetectorGate::kBytes + 2 * DetectorGate::kBytesPerThread;  // of a pool of two

// Callers, and a loop of the pool itself, that enter repeatedly.
void EnterFromManyThreads(ThreadPool& pool, DetectorGate& gate, uint64_t bytes, const std::function<void()>& inside) {
  const auto visit = [&] {
    DetectorGate::Stay stay = gate.Enter(bytes);
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

int MaxInside(uint64_t bytes) {
  ThreadPool pool(2);
  DetectorGate gate(&pool);
  std::atomic<int> inside = 0, most = 0;
  EnterFromManyThreads(pool, gate, bytes, [&] {
    const int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    pool.ParallelFor(3, [](size_t) { std::this_thread::yield(); });
    --inside;
  });
  return most;
}

TEST(DetectorGateTest, AdmitsNoMoreThanItsLimit) {
  EXPECT_LE(MaxInside(kLimit / 3), 3);
  EXPECT_LE(MaxInside(kLimit / 2 + 1), 1);
}

TEST(DetectorGateTest, AnImageLargerThanTheLimitIsAloneInside) { EXPECT_EQ(MaxInside(kLimit * 10), 1); }

TEST(DetectorGateTest, SmallImagesAreInsideTogether) {
  ThreadPool pool(2);
  DetectorGate gate(&pool);
  DetectorGate::Stay first = gate.Enter(1000);
  DetectorGate::Stay second = gate.Enter(1000);
  EXPECT_NE(&first.workspace(), &second.workspace());
}

TEST(DetectorGateTest, ASmallImageDoesNotPassALargeOneThatWaits) {
  ThreadPool pool(2);
  DetectorGate gate(&pool);
  std::vector<int> order;
  std::thread large, small;
  {
    DetectorGate::Stay first = gate.Enter(kLimit / 2);
    large = std::thread([&] {
      DetectorGate::Stay stay = gate.Enter(kLimit);
      order.push_back(1);
    });
    while (gate.num_waiting() < 1) std::this_thread::yield();
    small = std::thread([&] {
      DetectorGate::Stay stay = gate.Enter(1);
      order.push_back(2);
    });
    while (gate.num_waiting() < 2) std::this_thread::yield();
  }
  large.join();
  small.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(DetectorGateTest, TheNextImageFindsTheMemoryOfTheLast) {
  ThreadPool pool(1);
  DetectorGate gate(&pool);
  const std::byte* data = nullptr;
  {
    DetectorGate::Stay stay = gate.Enter(1);
    ASSERT_TRUE(stay.workspace().input.Reserve(size_t{3} << 20).ok());
    data = stay.workspace().input.data();
  }
  EXPECT_EQ(gate.Enter(1).workspace().input.data(), data);
}

TEST(DetectorGateTest, ALargeImageLeavesLittleMemoryAndFindsNoOtherImages) {
  ThreadPool pool(1);
  DetectorGate gate(&pool);
  constexpr size_t kLarge = size_t{60} << 20;
  {
    DetectorGate::Stay small = gate.Enter(1);
    ASSERT_TRUE(small.workspace().input.Reserve(1000).ok());
  }
  {
    DetectorGate::Stay large = gate.Enter(kLimit);
    EXPECT_EQ(large.workspace().input.data(), nullptr);
    ASSERT_TRUE(large.workspace().input.Reserve(kLarge).ok());
    std::memset(large.workspace().input.data(), 1, kLarge);
  }
  DetectorGate::Stay next = gate.Enter(1);
  ASSERT_EQ(next.workspace().input.size_bytes(), kLarge);
  EXPECT_EQ(next.workspace().input.data()[0], std::byte{1});
  EXPECT_EQ(next.workspace().input.data()[kLarge - 1], std::byte{0});  // given back to the system
}

}  // namespace
}  // namespace inkread
