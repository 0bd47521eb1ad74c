#include "base/bf16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inkread {
namespace {

TEST(Bf16Test, RoundsToTheNearestAndToTheEvenOneOfTwo) {
  EXPECT_EQ(RoundToBf16(1.0f), 1.0f);
  EXPECT_EQ(RoundToBf16(-3.140625f), -3.140625f);
  constexpr float kStep = 1.0f / 128;  // from 1 to the next
  EXPECT_EQ(RoundToBf16(1 + kStep / 2), 1.0f);
  EXPECT_EQ(RoundToBf16(1 + kStep * 3 / 2), 1 + 2 * kStep);
  EXPECT_EQ(RoundToBf16(std::nextafter(1 + kStep / 2, 2.0f)), 1 + kStep);
  EXPECT_EQ(RoundToBf16(std::nextafter(-1 - kStep / 2, 0.0f)), -1.0f);
}

TEST(Bf16Test, KeepsWhatIsNoNumber) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(RoundToBf16(kInfinity), kInfinity);
  EXPECT_EQ(RoundToBf16(-kInfinity), -kInfinity);
  EXPECT_EQ(RoundToBf16(std::numeric_limits<float>::max()), kInfinity);
  EXPECT_TRUE(std::isnan(RoundToBf16(std::bit_cast<float>(0x7f800001u))));  // the upper half alone is infinity
  EXPECT_TRUE(std::isnan(RoundToBf16(std::bit_cast<float>(0xffffffffu))));
}

}  // namespace
}  // namespace inkread
