// The doubles of shading languages against this machine's own, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace inkread {
namespace {

using uint = uint32_t;
#include "schedule/steps/double_words.h"

DoubleWords WordsOf(double v) {
  const auto bits = std::bit_cast<uint64_t>(v);
  return DoubleOf(static_cast<uint>(bits), static_cast<uint>(bits >> 32));
}

uint64_t BitsOf(DoubleWords a) { return uint64_t{a.high} << 32 | a.low; }

constexpr double kMin = std::numeric_limits<double>::min();  // normal

// What the header says of subnormal numbers.
double Flushed(double v) { return std::fabs(v) < kMin ? std::copysign(0.0, v) : v; }

// Whether the operations say what they should of a result: they take the least normal double for 0 where only rounding
// brings it about. The sign of 0 counts.
::testing::AssertionResult Is(DoubleWords got, double expected) {
  if (std::isnan(expected)) return ::testing::AssertionSuccess();
  const auto want = std::bit_cast<uint64_t>(Flushed(expected));
  if (BitsOf(got) == want) return ::testing::AssertionSuccess();
  if (std::fabs(expected) == kMin && (BitsOf(got) & ~(uint64_t{1} << 63)) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got " << std::bit_cast<double>(BitsOf(got)) << ", expected " << expected
                                       << std::hex << " (" << BitsOf(got) << ", " << want << ")";
}

int RoundedToInt(double v) { return static_cast<int>(std::nearbyint(std::clamp(v, -2147483648.0, 2147483647.0))); }

void ExpectAll(double a, double b) {
  const DoubleWords x = WordsOf(a), y = WordsOf(b);
  ASSERT_TRUE(Is(DoubleAdd(x, y), a + b)) << a << " + " << b;
  ASSERT_TRUE(Is(DoubleMultiply(x, y), a * b)) << a << " * " << b;
  ASSERT_TRUE(Is(DoubleDivide(x, y), a / b)) << a << " / " << b;
  ASSERT_EQ(DoubleIsZero(x), a == 0);
  ASSERT_EQ(DoubleToInt(x), RoundedToInt(a)) << a;
  const auto to_float = static_cast<float>(a);
  if (to_float == 0 || std::fabs(to_float) > std::numeric_limits<float>::min()) {
    ASSERT_EQ(std::bit_cast<uint32_t>(DoubleToFloat(x)), std::bit_cast<uint32_t>(to_float)) << a;
  }
}

TEST(DoubleWordsTest, AgreesOnRandomNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000000; ++i) {
    // Exponents near to each other, so that sums are not one of their terms; in every tenth pair any.
    const int spread = i % 10 == 0 ? 1000 : i % 10 < 5 ? 60 : 3;
    const auto draw = [&] {
      const double mantissa = std::bit_cast<double>(uint64_t{1023} << 52 | random() >> 12);
      const double v = std::ldexp(mantissa, static_cast<int>(random() % (2 * spread + 1)) - spread);
      return random() % 2 == 0 ? v : -v;
    };
    ASSERT_NO_FATAL_FAILURE(ExpectAll(draw(), draw()));
  }
}

TEST(DoubleWordsTest, AgreesOnEveryPairOfHardNumbers) {
  std::vector<double> hard = {0.0,          0.5,          1.5,   32.0,   1.0 / 3, 2147483646.5,
                              2147483647.5, 4294967296.0, 1e300, 1e-300, kMin,    std::numeric_limits<double>::max()};
  // Few bits, all bits, and halves of the last one, of each size at which something carries or is lost.
  for (const uint64_t mantissa :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, (uint64_t{1} << 52) - 1, (uint64_t{1} << 52) - 2,
        uint64_t{1} << 51, (uint64_t{1} << 51) - 1, (uint64_t{1} << 51) + 1, uint64_t{1} << 28, (uint64_t{1} << 28) + 1,
        (uint64_t{1} << 29) - 1, uint64_t{3} << 28, uint64_t{1} << 32, (uint64_t{1} << 32) - 1,
        uint64_t{0xffffffff} << 20}) {
    for (const int exponent : {-1022, -512, -126, -64, -54, -53, -52, -33, -32, -31, -11, -2,  -1,  0,
                               1,     2,    11,   20,  30,  31,  32,  52,  53,  63,  64,  127, 511, 1023})
      hard.push_back(std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52 | mantissa));
  }
  for (const double a : hard) {
    for (const double b : hard) {
      ASSERT_NO_FATAL_FAILURE(ExpectAll(a, b));
      ASSERT_NO_FATAL_FAILURE(ExpectAll(-a, b));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectAll(-a, -a));
  }
}

TEST(DoubleWordsTest, RoundsTiesToEven) {
  for (int i = -5000; i < 5000; ++i) {
    EXPECT_EQ(DoubleToInt(WordsOf(i + 0.5)), RoundedToInt(i + 0.5));
    EXPECT_EQ(DoubleToInt(WordsOf(std::nextafter(i + 0.5, 1e9))), RoundedToInt(std::nextafter(i + 0.5, 1e9)));
    EXPECT_EQ(DoubleToInt(WordsOf(std::nextafter(i + 0.5, -1e9))), RoundedToInt(std::nextafter(i + 0.5, -1e9)));
    const double between = 16777216.0 + i + 0.5;  // of floats
    EXPECT_EQ(DoubleToFloat(WordsOf(between)), static_cast<float>(between));
    const double last = 4503599627370496.0 + i;  // in which a double's last bit is 1 and a half is a tie
    EXPECT_TRUE(Is(DoubleAdd(WordsOf(last), WordsOf(0.5)), last + 0.5));
  }
}

TEST(DoubleWordsTest, TakesIntegers) {
  std::mt19937 random(2);
  for (const int v : {0, 1, -1, 32, 2147483647, -2147483647 - 1}) EXPECT_TRUE(Is(DoubleFromInt(v), v));
  for (int i = 0; i < 100000; ++i) {
    const int v = static_cast<int>(random()) >> random() % 32;
    ASSERT_TRUE(Is(DoubleFromInt(v), v)) << v;
    ASSERT_EQ(DoubleToInt(DoubleFromInt(v)), v);
  }
}

TEST(DoubleWordsTest, HoldsWhatIsTooLarge) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double sign : {1.0, -1.0}) {
    const DoubleWords most = DoubleDivide(WordsOf(sign), WordsOf(0.0));
    EXPECT_TRUE(Is(most, sign * infinity));
    EXPECT_EQ(DoubleToInt(most), RoundedToInt(sign * infinity));
    EXPECT_EQ(DoubleToFloat(most), static_cast<float>(sign * infinity));
    ASSERT_NO_FATAL_FAILURE(ExpectAll(sign * infinity, 3.0));
    ASSERT_NO_FATAL_FAILURE(ExpectAll(3.0, sign * infinity));
    EXPECT_TRUE(Is(DoubleMultiply(most, WordsOf(0.0)), sign * infinity)) << "which has no name but this here";
  }
}

}  // namespace
}  // namespace inkread
