#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

namespace inkread {
namespace {

TEST(ThreadPoolTest, RunsEachIndexOnce) {
  ThreadPool pool(4);
  for (size_t count : {0u, 1u, 2u, 3u, 1000u}) {
    std::vector<std::atomic<int>> hits(count);
    pool.ParallelFor(count, [&](size_t i) { ++hits[i]; });
    for (auto& h : hits) EXPECT_EQ(h, 1);
  }
}

TEST(ThreadPoolTest, NestedLoopsFromManyCallersFinish) {
  ThreadPool pool(3);
  std::atomic<int> sum = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        pool.ParallelFor(7, [&](size_t) { pool.ParallelFor(5, [&](size_t) { ++sum; }); });
      }
    });
  }
  for (auto& t : callers) t.join();
  EXPECT_EQ(sum, 8 * 20 * 7 * 5);
}

TEST(ThreadPoolTest, OneThreadRunsOnTheCaller) {
  ThreadPool pool(1);
  const auto self = std::this_thread::get_id();
  pool.ParallelFor(10, [&](size_t) { EXPECT_EQ(std::this_thread::get_id(), self); });
}

TEST(ThreadPoolTest, WhatABodyThrowsReachesTheCaller) {
  for (int num_threads : {1, 4}) {
    ThreadPool pool(num_threads);
    for (size_t culprit : {0u, 7u, 99u}) {
      std::atomic<int> inside = 0;
      const auto outer = [&](size_t) {
        pool.ParallelFor(100, [&](size_t i) {
          ++inside;
          if (i == culprit) {
            --inside;
            throw std::bad_alloc();
          }
          std::this_thread::yield();
          --inside;
        });
      };
      EXPECT_THROW(pool.ParallelFor(3, outer), std::bad_alloc);
      EXPECT_EQ(inside, 0);
    }
    std::atomic<int> sum = 0;
    pool.ParallelFor(10, [&](size_t) { ++sum; });  // it works as before
    EXPECT_EQ(sum, 10);
  }
}

TEST(ThreadPoolTest, TriesEachIndexAndReturnsTheFirstErrorByIndex) {
  ThreadPool pool(3);
  std::atomic<int> calls = 0;
  const auto fail_at = [&](size_t a, size_t b) {
    return pool.ParallelTry(10, [&calls, a, b](size_t i) {
      ++calls;
      return i == a || i == b ? NotFound("item ", i) : Status();
    });
  };
  EXPECT_TRUE(fail_at(10, 11).ok());
  EXPECT_EQ(fail_at(7, 4).message(), "item 4");
  EXPECT_EQ(calls, 20);
}

TEST(ThreadPoolTest, ABodyThatFindsNoMemoryBecomesAStatus) {
  for (int num_threads : {1, 4}) {
    ThreadPool pool(num_threads);
    const Status status = pool.ParallelTry(20, [](size_t i) {
      if (i == 7) throw std::bad_alloc();
      return Status();
    });
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << status.message();
    EXPECT_TRUE(pool.ParallelTry(20, [](size_t) { return Status(); }).ok());
  }
}

#if defined(__linux__)
// In a process that may have no further thread. The limit does not hold for root, so root becomes another user.
constexpr int kCannotLimit = 77;
[[noreturn]] void MakeAPoolOfFourWhereThreadsAreRefused() {
  constexpr uid_t kNobody = 65534;
  const rlimit limit{1, 1};
  if (::setrlimit(RLIMIT_NPROC, &limit) != 0 || (::geteuid() == 0 && ::setuid(kNobody) != 0)) {
    std::_Exit(kCannotLimit);
  }
  ThreadPool pool(4);
  std::atomic<size_t> sum = 0;
  pool.ParallelFor(10, [&](size_t i) { sum += i; });
  std::fprintf(stderr, "%d threads, sum %zu\n", pool.num_threads(), sum.load());
  std::_Exit(0);
}

TEST(ThreadPoolDeathTest, WhereThreadsAreRefusedThereAreFewerAndLoopsRun) {
  bool is_limited = true;
  const auto exits = [&is_limited](int status) {
    is_limited = !testing::ExitedWithCode(kCannotLimit)(status);
    return !is_limited || testing::ExitedWithCode(0)(status);
  };
  EXPECT_EXIT(MakeAPoolOfFourWhereThreadsAreRefused(), exits, "^$|1 threads, sum 45");
  if (!is_limited) GTEST_SKIP() << "this process cannot limit its threads";
}
#endif

// A thread that is in WorkUntil while this lives.
class Waiter {
 public:
  explicit Waiter(ThreadPool* pool) : pool_(pool) {
    std::atomic<bool> has_begun = false;
    thread_ = std::thread([this, &has_begun] {
      has_begun = true;
      pool_->WorkUntil([this] { return ready_.load(); });
    });
    while (!has_begun) std::this_thread::yield();
  }
  ~Waiter() {
    ready_ = true;
    pool_->WakeWaiting();
    thread_.join();
  }
  std::thread::id id() const { return thread_.get_id(); }

 private:
  ThreadPool* const pool_;
  std::atomic<bool> ready_ = false;
  std::thread thread_;
};

TEST(ThreadPoolTest, WhoWaitsWorksForOthersMeanwhile) {
  ThreadPool pool(2);
  std::atomic<int> waiters_share = 0;
  Waiter waiter(&pool);
  // Two bodies that meet, and a third thread of the three can only be the one that waits.
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> there = 0;
    pool.ParallelFor(3, [&](size_t) {
      if (std::this_thread::get_id() == waiter.id()) ++waiters_share;
      ++there;
      while (there < 3) std::this_thread::yield();
    });
  }
  EXPECT_EQ(waiters_share, 100);
}

TEST(ThreadPoolTest, WhoWaitsDoesNotBeginBodiesThatMayWaitToo) {
  ThreadPool pool(2);
  Waiter waiter(&pool);
  for (int round = 0; round < 100; ++round)
    pool.ParallelForThatWaits(20, [&](size_t) { EXPECT_NE(std::this_thread::get_id(), waiter.id()); });
}

}  // namespace
}  // namespace inkread
