// half: conversions at every boundary, arithmetic against exact sums rounded by search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/metal_emulator/kernels/group_runner.h"
#include "tests/metal_emulator/kernels/stdlib/functions.h"

namespace {

using metal::half;

half FromBits(uint16_t bits) {
  half h;
  h.bits = bits;
  return h;
}

constexpr uint16_t kInfinity = 0x7c00;

// What an f16 is, by its definition.
double ValueOf(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

// The scalar reference: the nearest f16 by search, ties to the even one.
uint16_t Nearest(double value) {
  static const std::vector<double> all = [] {
    std::vector<double> values;
    for (uint16_t bits = 0; bits <= kInfinity; ++bits) values.push_back(ValueOf(bits));  // infinity as 65536
    return values;
  }();
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65536.0) return sign | kInfinity;
  const uint16_t above = static_cast<uint16_t>(std::upper_bound(all.begin(), all.end(), magnitude) - all.begin());
  const uint16_t below = above - 1;
  const double to_below = magnitude - all[below], to_above = all[above] - magnitude;
  const bool take_below = to_below < to_above || (to_below == to_above && below % 2 == 0);
  return sign | (take_below ? below : above);
}

TEST(HalfTest, EveryHalfIsTheFloatThatItsDefinitionSays) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t h = static_cast<uint16_t>(bits);
    const float value = FromBits(h);
    if ((h & 0x7fff) > kInfinity) {
      EXPECT_TRUE(std::isnan(value)) << std::hex << bits;
      EXPECT_EQ(half(value).bits & 0x7c00, 0x7c00);
      EXPECT_NE(half(value).bits & 0x3ff, 0);
    } else if ((h & 0x7fff) == kInfinity) {
      EXPECT_EQ(value, h & 0x8000 ? -INFINITY : INFINITY);
      EXPECT_EQ(half(value).bits, h);
    } else {
      ASSERT_EQ(value, ValueOf(h)) << std::hex << bits;
      ASSERT_EQ(half(value).bits, h) << std::hex << bits;
    }
  }
}

TEST(HalfTest, FloatsRoundToNearestAndTiesToEven) {
  for (uint16_t bits = 0; bits < kInfinity; ++bits) {
    const float tie = static_cast<float>((ValueOf(bits) + ValueOf(bits + 1)) / 2);
    const uint16_t even = bits % 2 == 0 ? bits : bits + 1;
    for (const float sign : {1.0f, -1.0f}) {
      const uint16_t minus = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(half(sign * tie).bits, even | minus) << bits;
      ASSERT_EQ(half(sign * std::nextafter(tie, 0.0f)).bits, bits | minus) << bits;
      ASSERT_EQ(half(sign * std::nextafter(tie, INFINITY)).bits, (bits + 1) | minus) << bits;
    }
  }
  EXPECT_EQ(half(std::numeric_limits<float>::denorm_min()).bits, 0);
  EXPECT_EQ(half(std::numeric_limits<float>::max()).bits, kInfinity);
}

TEST(HalfTest, KnownValues) {
  EXPECT_EQ(half(0.1f).bits, 0x2e66);
  EXPECT_EQ((half(1.0f) / half(3.0f)).bits, 0x3555);
  EXPECT_EQ((half(2048.0f) + half(1.0f)).bits, half(2048.0f).bits);  // a tie, to even
  EXPECT_EQ((half(2050.0f) + half(1.0f)).bits, half(2052.0f).bits);
  EXPECT_EQ((half(65504.0f) + half(15.0f)).bits, 0x7bff);
  EXPECT_EQ((half(65504.0f) + half(16.0f)).bits, kInfinity);
  EXPECT_EQ((FromBits(1) * half(0.5f)).bits, 0);  // half of the smallest, a tie
  EXPECT_EQ((FromBits(3) * half(0.5f)).bits, 2);
  EXPECT_EQ((-half(0.0f)).bits, 0x8000);
}

TEST(HalfTest, EachOperationRoundsOnce) {
  metal_emulator::Random random(7);
  for (int i = 0; i < 300000; ++i) {
    const uint64_t bits = random.Next();
    const half a = FromBits(bits & 0xffff), b = FromBits(bits >> 16 & 0xffff), c = FromBits(bits >> 32 & 0xffff);
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) continue;
    const double x = float(a), y = float(b), z = float(c);
    ASSERT_EQ((a + b).bits & 0x7fff, Nearest(x + y) & 0x7fff) << x << " + " << y;  // of zeros, the sign is another's
    ASSERT_EQ((a - b).bits & 0x7fff, Nearest(x - y) & 0x7fff) << x << " - " << y;
    ASSERT_EQ((a * b).bits, Nearest(x * y)) << x << " * " << y;
    if (y != 0) ASSERT_EQ((a / b).bits, Nearest(x / y)) << x << " / " << y;
    // The product has 22 bits at most: with c it spans less than long double's 64 unless one is lost in the other.
    const long double exact = static_cast<long double>(x) * y + z;
    if (std::fabs(std::log2(std::fabs(x * y) + 1e-30) - std::log2(std::fabs(z) + 1e-30)) < 40) {
      const uint16_t expected = Nearest(static_cast<double>(exact));
      if (static_cast<long double>(static_cast<double>(exact)) == exact) {
        ASSERT_EQ(metal::fma(a, b, c).bits & 0x7fff, expected & 0x7fff) << x << " * " << y << " + " << z;
      }
    }
  }
}

TEST(HalfTest, FmaDoesNotRoundTwice) {
  // 1.5 * 2^-11 * ... : a * b + c just above a tie by less than f32 can tell from it.
  const half a = FromBits(0x3c01), b = FromBits(0x1001);  // (1 + 2^-10) and (1 + 2^-10) 2^-11
  const half c = half(1.0f);
  const double exact = double(float(a)) * float(b) + 1.0;
  EXPECT_EQ(metal::fma(a, b, c).bits, Nearest(exact));
  const half tiny = FromBits(1), tie = half(std::ldexp(1.0f, -11));
  EXPECT_EQ(metal::fma(tiny, tiny, tie).bits, Nearest(double(float(tiny)) * float(tiny) + float(tie)));
}

TEST(HalfTest, TypesOfMixedArithmetic) {
  static_assert(std::is_same<decltype(half() + half()), half>::value, "");
  static_assert(std::is_same<decltype(half() + 1.0f), float>::value, "");
  static_assert(std::is_same<decltype(half() * 2), half>::value, "");
  static_assert(std::is_same<decltype(2u * half()), half>::value, "");
  half h(0.1f);
  h += 1.0f;  // in float, then rounded
  EXPECT_EQ(h.bits, half(float(half(0.1f)) + 1.0f).bits);
}

}  // namespace
