// How the floating-point unit is set while kernels run.
#include "backends/cpu/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace inkread::cpu {
namespace {

// Volatile, so that the unit computes it and not the compiler.
float Times(float a, float b) {
  volatile float x = a, y = b;
  return x * y;
}

#if defined(__SSE__) || defined(__aarch64__)
TEST(FlushTinyValuesTest, CountsTinyValuesAsZeroWhileItLives) {
  constexpr float kTiny = 1e-39f, kSmallest = 1.2e-38f, kLarge = 1e30f;
  EXPECT_GT(Times(kSmallest, 0.5f), 0.0f);
  EXPECT_GT(Times(kTiny, kLarge), 0.0f);
  {
    const FlushTinyValues flush;
    EXPECT_EQ(Times(kSmallest, 0.5f), 0.0f) << "a result";
    EXPECT_EQ(Times(kTiny, kLarge), 0.0f) << "an operand";
    EXPECT_GT(Times(kSmallest, 1.0f), 0.0f);
  }
  EXPECT_GT(Times(kSmallest, 0.5f), 0.0f);
  EXPECT_GT(Times(kTiny, kLarge), 0.0f);
}

TEST(FlushTinyValuesTest, HoldsOnEveryThreadOfALoopAndNotAfterIt) {
  ThreadPool pool(3);
  std::vector<float> products(64, 1.0f);
  ParallelFor(pool, products.size(), [&](size_t i) { products[i] = Times(1e-39f, 1e30f); });
  EXPECT_EQ(products, std::vector<float>(64, 0.0f));
  EXPECT_GT(Times(1e-39f, 1e30f), 0.0f);
}
#endif

}  // namespace
}  // namespace inkread::cpu
