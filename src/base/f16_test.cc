#include "base/f16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inkread {
namespace {

// Every f16 by its definition: sign, five bits of exponent, ten of fraction.
double Defined(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -size : size;
}

TEST(F16Test, EveryValueIsItsDefinitionAndComesBack) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const float value = FromF16(static_cast<uint16_t>(half));
    if ((half & 0x7c00) != 0x7c00) {
      ASSERT_EQ(value, Defined(static_cast<uint16_t>(half))) << half;
    }
    if (!std::isnan(value)) {
      ASSERT_EQ(ToF16(value), half) << half;
    }
  }
}

TEST(F16Test, RoundsToTheNearestAndToTheEvenOneOfTwo) {
  for (uint32_t half = 0; half < 0x7bff; ++half) {
    const float low = FromF16(static_cast<uint16_t>(half)), high = FromF16(static_cast<uint16_t>(half + 1));
    const float middle = (low + high) / 2;  // exact: a float has room for it
    const uint32_t even = half % 2 == 0 ? half : half + 1;
    ASSERT_EQ(ToF16(middle), even) << half;
    ASSERT_EQ(ToF16(-middle), even | 0x8000) << half;
    ASSERT_EQ(ToF16(std::nextafter(middle, low)), half) << half;
    ASSERT_EQ(ToF16(std::nextafter(middle, high)), half + 1) << half;
  }
}

TEST(F16Test, KeepsWhatIsNoNumber) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(RoundToF16(kInfinity), kInfinity);
  EXPECT_EQ(RoundToF16(-1e9f), -kInfinity);
  EXPECT_EQ(RoundToF16(65520.0f), kInfinity);
  EXPECT_EQ(RoundToF16(std::nextafter(65520.0f, 0.0f)), 65504.0f);
  EXPECT_TRUE(std::isnan(RoundToF16(std::bit_cast<float>(0x7f800001u))));
  EXPECT_TRUE(std::isnan(RoundToF16(std::bit_cast<float>(0xffffffffu))));
}

}  // namespace
}  // namespace inkread
