#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
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

// A thread that is at work for the pool and waits in WorkUntil while this lives.
class Waiter {
 public:
  explicit Waiter(ThreadPool* pool) : pool_(pool) {
    thread_ = std::thread([this] {
      const ThreadPool::Busy busy(*pool_);
      pool_->WorkUntil([this] {
        has_begun_ = true;  // also after the constructor has returned
        return ready_.load();
      });
    });
    while (!has_begun_) std::this_thread::yield();
  }
  ~Waiter() {
    ready_ = true;
    pool_->WakeWaiting();
    thread_.join();
  }
  std::thread::id id() const { return thread_.get_id(); }

 private:
  ThreadPool* const pool_;
  std::atomic<bool> has_begun_ = false;
  std::atomic<bool> ready_ = false;
  std::thread thread_;
};

// Runs a loop on this thread until another one has joined it; returns which.
std::thread::id HelperOfALoop(ThreadPool& pool) {
  const auto self = std::this_thread::get_id();
  std::atomic<std::thread::id> helper;
  const auto body = [&](size_t) {
    if (std::this_thread::get_id() != self) helper = std::this_thread::get_id();
    if (helper.load() != std::thread::id()) throw std::bad_alloc();  // ends the loop
    std::this_thread::yield();
  };
  EXPECT_THROW(pool.ParallelFor(100'000'000, body), std::bad_alloc);
  return helper;
}

TEST(ThreadPoolTest, WhoWaitsWorksForOthersMeanwhile) {
  ThreadPool pool(2);
  std::atomic<int> waiters_share = 0;
  std::atomic<bool> is_over = false;
  // The pool's only worker and this thread take a body each. One of them waits while the other runs loops.
  std::atomic<std::thread::id> waiter;
  pool.ParallelForThatWaits(2, [&](size_t) {
    std::thread::id nobody;
    if (waiter.compare_exchange_strong(nobody, std::this_thread::get_id())) {
      pool.WorkUntil([&] { return is_over.load(); });
      return;
    }
    for (int round = 0; round < 100; ++round) waiters_share += HelperOfALoop(pool) == waiter;
    is_over = true;
    pool.WakeWaiting();
  });
  EXPECT_EQ(waiters_share, 100);
}

TEST(ThreadPoolTest, WhoWaitsDoesNotBeginBodiesThatMayWaitToo) {
  ThreadPool pool(3);
  Waiter waiter(&pool);
  for (int round = 0; round < 1000; ++round) {
    // The waiter may join this one, whose place in the pool is then taken by the next.
    pool.ParallelFor(3, [](size_t) { std::this_thread::yield(); });
    pool.ParallelForThatWaits(6, [&](size_t) { EXPECT_NE(std::this_thread::get_id(), waiter.id()); });
  }
}

TEST(ThreadPoolTest, ALoopRunsOnItsCallerWhereAllThreadsHaveCallers) {
  ThreadPool pool(3);
  EXPECT_EQ(pool.num_available(), 3);
  const auto is_whole = [&pool] {
    const auto self = std::this_thread::get_id();
    bool whole = true;
    pool.ParallelFor(100, [&](size_t) { whole = whole && std::this_thread::get_id() == self; });
    return whole;
  };
  const auto call = [&](auto&& self, int num_callers) -> void {
    const ThreadPool::Busy busy(pool);
    EXPECT_EQ(pool.num_available(), std::max(1, num_callers));
    EXPECT_TRUE(num_callers > 1 || is_whole());
    if (num_callers < 0) return;
    std::thread([&] { self(self, num_callers - 1); }).join();
  };
  call(call, 3);
  EXPECT_EQ(pool.num_available(), 3);
}

TEST(ThreadPoolTest, SleepingThreadsAreAvailableForLongLoopsOnly) {
  ThreadPool pool(3);
  const ThreadPool::Busy busy(pool);
  // A worker looks for work for a moment after its last loop; those of a new pool sleep at once.
  EXPECT_EQ(pool.num_available(std::chrono::nanoseconds(0)), 1);
  EXPECT_EQ(pool.num_available(pool.wake_time() / 2), 1);
  EXPECT_EQ(pool.num_available(pool.wake_time() * 2), 2);
  EXPECT_EQ(pool.num_available(std::chrono::seconds(1)), 3);
}

TEST(ThreadPoolTest, ThreadsThatBecomeIdleJoinALoopThatHasBegun) {
  ThreadPool pool(2);
  std::atomic<bool> is_busy = false, may_end = false;
  std::thread other([&] {
    const ThreadPool::Busy busy(pool);
    is_busy = true;
    while (!may_end) std::this_thread::yield();
  });
  while (!is_busy) std::this_thread::yield();
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    may_end = true;
  });
  EXPECT_NE(HelperOfALoop(pool), std::thread::id());
  EXPECT_TRUE(may_end);
  other.join();
  ends.join();
}

TEST(ThreadPoolTest, AHelperGivesWayToANewCaller) {
  ThreadPool pool(2);
  const auto self = std::this_thread::get_id();
  std::atomic<size_t> helped = 0;
  std::atomic<bool> caller_is_here = false, may_end = false;
  std::thread caller;
  pool.ParallelFor(2000, [&](size_t) {
    if (std::this_thread::get_id() != self) {
      if (caller_is_here) ++helped;
      return;
    }
    if (!caller.joinable()) {
      caller = std::thread([&] {
        const ThreadPool::Busy busy(pool);
        caller_is_here = true;
        while (!may_end) std::this_thread::yield();
      });
      while (!caller_is_here) std::this_thread::yield();
    }
  });
  EXPECT_LE(helped, 2u);  // the index that it had begun
  may_end = true;
  caller.join();
}

TEST(ThreadPoolTest, MoreLoopsThanCanBeSharedAtOnceAllRun) {
  ThreadPool pool(4);
  std::atomic<int> sum = 0;
  const std::function<void(int)> nest = [&](int depth) {
    pool.ParallelFor(2, [&](size_t i) {
      ++sum;
      if (i == 1 && depth > 1) nest(depth - 1);
    });
  };
  nest(200);
  EXPECT_EQ(sum, 400);
}

}  // namespace
}  // namespace inkread
