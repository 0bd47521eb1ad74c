#include "planner/plan_cache.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/planned_network.h"

namespace inkread {
namespace {

class PlanCacheTest : public ::testing::Test {
 protected:
  PlanCacheTest() {
    GraphBuilder b;
    const ValueId x = b.Input({-1, 3, -1, -1});
    network_ = Prepared(b.Output(Conv(b, x, 3, 4)));
  }
  static PlanKey Key(int64_t w) { return {1, 4, w, Head::kNetwork}; }
  std::shared_ptr<const Schedule> Get(PlanCache& cache, int64_t w) { return cache.Get(*network_, Key(w)).value(); }
  std::shared_ptr<const Network> network_;
};

TEST_F(PlanCacheTest, TheSameShapeIsPlannedOnce) {
  PlanCache cache;
  const auto plan = Get(cache, 5);
  EXPECT_EQ(Get(cache, 5), plan);
  EXPECT_NE(Get(cache, 6), plan);
  EXPECT_EQ(plan->input, (Shape{1, 4, 5, 3}));
  EXPECT_EQ(cache.stats().hits, 1u);
  EXPECT_EQ(cache.stats().misses, 2u);
}

TEST_F(PlanCacheTest, TheLeastRecentlyUsedIsDroppedFirst) {
  PlanCache cache(2);
  const auto five = Get(cache, 5), six = Get(cache, 6);
  Get(cache, 5);                   // six is the older one now
  Get(cache, 7);                   // and is dropped
  EXPECT_EQ(Get(cache, 5), five);  // held
  EXPECT_EQ(cache.stats().misses, 3u);
  EXPECT_EQ(PrintSchedule(*Get(cache, 6)), PrintSchedule(*six));  // planned anew; the caller keeps the old one
  EXPECT_EQ(cache.stats().misses, 4u);
}

TEST_F(PlanCacheTest, AFailureIsNotHeld) {
  PlanCache cache;
  EXPECT_EQ(cache.Get(*network_, {1, 4, 0, Head::kNetwork}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(cache.Get(*network_, {1, 4, 4, Head::kCtc}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(cache.Get(*network_, Key(4)).ok());
}

TEST_F(PlanCacheTest, ThreadsShareIt) {
  PlanCache cache(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const int64_t w = 1 + i % 6;
        EXPECT_EQ(Get(cache, w)->input.w, static_cast<uint32_t>(w));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache.stats().hits + cache.stats().misses, 400u);
}

}  // namespace
}  // namespace inkread
