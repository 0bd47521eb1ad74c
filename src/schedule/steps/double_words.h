// IEEE doubles as two 32-bit words, by unsigned 32-bit arithmetic: Metal has no doubles, and Vulkan devices need not.
// Every operation rounds to nearest, ties to even, as a CPU's does, with these exceptions:
//   - subnormal operands count as 0, and so do results below the smallest normal double (float, in DoubleToFloat)
//   - there are no NaNs: an infinite operand gives an infinity, and so do 0 / 0 and x / 0; an infinite divisor gives 0
// Read by C++ (where `uint` has to be known), GLSL and MSL.
#ifndef INKREAD_SCHEDULE_STEPS_DOUBLE_WORDS_H_
#define INKREAD_SCHEDULE_STEPS_DOUBLE_WORDS_H_

#if defined(__METAL_VERSION__)
#define INKREAD_DOUBLE_FUNCTION inline
#define INKREAD_DOUBLE_LEADING_ZEROS(word) clz(word)
#define INKREAD_DOUBLE_FLOAT_OF(word) as_type<float>(word)
INKREAD_DOUBLE_FUNCTION uint DoubleHighProduct(uint a, uint b) { return mulhi(a, b); }
#elif defined(__cplusplus)
#define INKREAD_DOUBLE_FUNCTION inline
#define INKREAD_DOUBLE_LEADING_ZEROS(word) uint(__builtin_clz(word))
#define INKREAD_DOUBLE_FLOAT_OF(word) __builtin_bit_cast(float, word)
INKREAD_DOUBLE_FUNCTION uint DoubleHighProduct(uint a, uint b) { return uint((unsigned long long){a} * b >> 32); }
#else
#define INKREAD_DOUBLE_FUNCTION
#define INKREAD_DOUBLE_LEADING_ZEROS(word) uint(31 - findMSB(word))
#define INKREAD_DOUBLE_FLOAT_OF(word) uintBitsToFloat(word)
uint DoubleHighProduct(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}
#endif

struct DoubleWords {
  uint low;
  uint high;  // sign, 11 bits of exponent, 20 bits of mantissa
};

// An integer of 64 bits.
struct DoubleBits {
  uint low;
  uint high;
};

#define INKREAD_DOUBLE_SIGN 0x80000000u
#define INKREAD_DOUBLE_BIAS 1023
#define INKREAD_DOUBLE_MAX_EXPONENT 0x7ff  // of infinities

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleOf(uint low, uint high) {
  DoubleWords a;
  a.low = low;
  a.high = high;
  return a;
}

INKREAD_DOUBLE_FUNCTION DoubleBits DoubleBitsOf(uint low, uint high) {
  DoubleBits a;
  a.low = low;
  a.high = high;
  return a;
}

INKREAD_DOUBLE_FUNCTION DoubleBits DoubleBitsAdd(DoubleBits a, DoubleBits b) {
  const uint low = a.low + b.low;
  return DoubleBitsOf(low, a.high + b.high + (low < a.low ? 1u : 0u));
}

INKREAD_DOUBLE_FUNCTION DoubleBits DoubleBitsSubtract(DoubleBits a, DoubleBits b) {
  return DoubleBitsOf(a.low - b.low, a.high - b.high - (a.low < b.low ? 1u : 0u));
}

INKREAD_DOUBLE_FUNCTION bool DoubleBitsLess(DoubleBits a, DoubleBits b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

// n <= 63.
INKREAD_DOUBLE_FUNCTION DoubleBits DoubleBitsUp(DoubleBits a, uint n) {
  if (n >= 32u) return DoubleBitsOf(0u, a.low << (n - 32u));
  if (n == 0u) return a;
  return DoubleBitsOf(a.low << n, a.high << n | a.low >> (32u - n));
}

// Where any 1 is shifted out, the lowest bit becomes 1: rounding needs to know no more of the lost bits.
INKREAD_DOUBLE_FUNCTION DoubleBits DoubleBitsDown(DoubleBits a, uint n) {
  if (n == 0u) return a;
  if (n >= 64u) return DoubleBitsOf((a.low | a.high) != 0u ? 1u : 0u, 0u);
  uint lost = 0u;
  if (n >= 32u) {
    lost = a.low;
    a = DoubleBitsOf(a.high, 0u);
    n -= 32u;
  }
  if (n > 0u) {
    lost |= a.low << (32u - n);
    a = DoubleBitsOf(a.low >> n | a.high << (32u - n), a.high >> n);
  }
  if (lost != 0u) a.low |= 1u;
  return a;
}

INKREAD_DOUBLE_FUNCTION uint DoubleBitsLeadingZeros(DoubleBits a) {
  return a.high != 0u ? INKREAD_DOUBLE_LEADING_ZEROS(a.high) : 32u + INKREAD_DOUBLE_LEADING_ZEROS(a.low);
}

INKREAD_DOUBLE_FUNCTION int DoubleExponent(DoubleWords a) { return int(a.high >> 20 & 0x7ffu); }

// The mantissa with its leading 1, as the highest of 64 bits.
INKREAD_DOUBLE_FUNCTION DoubleBits DoubleMantissa(DoubleWords a) {
  return DoubleBitsOf(a.low << 11, 0x80000000u | (a.high & 0xfffffu) << 11 | a.low >> 21);
}

INKREAD_DOUBLE_FUNCTION bool DoubleIsZero(DoubleWords a) { return DoubleExponent(a) == 0; }
INKREAD_DOUBLE_FUNCTION bool DoubleIsInfinite(DoubleWords a) {
  return DoubleExponent(a) == INKREAD_DOUBLE_MAX_EXPONENT;
}

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleZero(uint sign) { return DoubleOf(0u, sign); }
INKREAD_DOUBLE_FUNCTION DoubleWords DoubleInfinity(uint sign) { return DoubleOf(0u, sign | 0x7ff00000u); }

// mantissa  not 0; its highest bit, which may be 0, has the value 2^(exponent - bias)
INKREAD_DOUBLE_FUNCTION DoubleWords DoubleRounded(uint sign, int exponent, DoubleBits mantissa) {
  const uint up = DoubleBitsLeadingZeros(mantissa);
  mantissa = DoubleBitsUp(mantissa, up);
  exponent -= int(up);
  if (exponent >= INKREAD_DOUBLE_MAX_EXPONENT) return DoubleInfinity(sign);
  if (exponent < 1) return DoubleZero(sign);
  DoubleBits kept = DoubleBitsOf(mantissa.low >> 11 | mantissa.high << 21, mantissa.high >> 11);
  const uint rest = mantissa.low & 0x7ffu;
  if (rest > 0x400u || (rest == 0x400u && (kept.low & 1u) != 0u)) kept = DoubleBitsAdd(kept, DoubleBitsOf(1u, 0u));
  // The leading 1 of the mantissa adds 1 to the exponent, and a carry out of it another 1.
  return DoubleOf(kept.low, sign | ((uint(exponent - 1) << 20) + kept.high));
}

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleFromInt(int value) {
  if (value == 0) return DoubleZero(0u);
  const uint size = value < 0 ? 0u - uint(value) : uint(value);
  return DoubleRounded(value < 0 ? INKREAD_DOUBLE_SIGN : 0u, INKREAD_DOUBLE_BIAS + 31, DoubleBitsOf(0u, size));
}

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleAdd(DoubleWords a, DoubleWords b) {
  if (DoubleIsInfinite(a)) return a;
  if (DoubleIsInfinite(b)) return b;
  const uint sign_a = a.high & INKREAD_DOUBLE_SIGN;
  const uint sign_b = b.high & INKREAD_DOUBLE_SIGN;
  if (DoubleIsZero(a) && DoubleIsZero(b)) return DoubleZero(sign_a & sign_b);
  if (DoubleIsZero(a)) return b;
  if (DoubleIsZero(b)) return a;
  const DoubleBits size_a = DoubleBitsOf(a.low, a.high & ~INKREAD_DOUBLE_SIGN);
  const DoubleBits size_b = DoubleBitsOf(b.low, b.high & ~INKREAD_DOUBLE_SIGN);
  const bool is_a_less = DoubleBitsLess(size_a, size_b);
  DoubleWords greater = a;
  DoubleWords lesser = b;
  if (is_a_less) {
    greater = b;
    lesser = a;
  }
  const int exponent = DoubleExponent(greater);
  // Shifted by one bit, so that the sum cannot overflow.
  const DoubleBits m = DoubleBitsDown(DoubleMantissa(greater), 1u);
  const DoubleBits n = DoubleBitsDown(DoubleMantissa(lesser), uint(exponent - DoubleExponent(lesser)) + 1u);
  const uint sign = is_a_less ? sign_b : sign_a;
  if (sign_a == sign_b) return DoubleRounded(sign, exponent + 1, DoubleBitsAdd(m, n));
  const DoubleBits difference = DoubleBitsSubtract(m, n);
  if ((difference.low | difference.high) == 0u) return DoubleZero(0u);
  return DoubleRounded(sign, exponent + 1, difference);
}

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleMultiply(DoubleWords a, DoubleWords b) {
  const uint sign = (a.high ^ b.high) & INKREAD_DOUBLE_SIGN;
  if (DoubleIsInfinite(a) || DoubleIsInfinite(b)) return DoubleInfinity(sign);
  if (DoubleIsZero(a) || DoubleIsZero(b)) return DoubleZero(sign);
  const DoubleBits m = DoubleMantissa(a);
  const DoubleBits n = DoubleMantissa(b);
  // Four products of words make 128 bits, of which the upper 64 are kept. Of the lower 64 only the carry and whether
  // they are 0 matter.
  const DoubleBits lowest = DoubleBitsOf(m.low * n.low, DoubleHighProduct(m.low, n.low));
  const DoubleBits cross = DoubleBitsOf(m.low * n.high, DoubleHighProduct(m.low, n.high));
  const DoubleBits other = DoubleBitsOf(m.high * n.low, DoubleHighProduct(m.high, n.low));
  const DoubleBits highest = DoubleBitsOf(m.high * n.high, DoubleHighProduct(m.high, n.high));
  const DoubleBits first = DoubleBitsAdd(cross, DoubleBitsOf(lowest.high, 0u));
  const DoubleBits second = DoubleBitsAdd(DoubleBitsOf(first.low, 0u), DoubleBitsOf(other.low, 0u));
  DoubleBits upper = DoubleBitsAdd(highest, DoubleBitsOf(first.high, 0u));
  upper = DoubleBitsAdd(upper, DoubleBitsOf(other.high, 0u));
  upper = DoubleBitsAdd(upper, DoubleBitsOf(second.high, 0u));
  if ((lowest.low | second.low) != 0u) upper.low |= 1u;
  return DoubleRounded(sign, DoubleExponent(a) + DoubleExponent(b) - INKREAD_DOUBLE_BIAS + 1, upper);
}

INKREAD_DOUBLE_FUNCTION DoubleWords DoubleDivide(DoubleWords a, DoubleWords b) {
  const uint sign = (a.high ^ b.high) & INKREAD_DOUBLE_SIGN;
  if (DoubleIsInfinite(a) || DoubleIsZero(b)) return DoubleInfinity(sign);
  if (DoubleIsZero(a) || DoubleIsInfinite(b)) return DoubleZero(sign);
  DoubleBits rest = DoubleBitsDown(DoubleMantissa(a), 11u);
  const DoubleBits divisor = DoubleBitsDown(DoubleMantissa(b), 11u);
  // One bit of the quotient at a time: the 53 of a mantissa, one before them that may be 0, and two for rounding.
  const int num_bits = 56;
  DoubleBits quotient = DoubleBitsOf(0u, 0u);
  for (int i = 0; i < num_bits; ++i) {
    quotient = DoubleBitsOf(quotient.low << 1, quotient.high << 1 | quotient.low >> 31);
    if (!DoubleBitsLess(rest, divisor)) {
      rest = DoubleBitsSubtract(rest, divisor);
      quotient.low |= 1u;
    }
    rest = DoubleBitsOf(rest.low << 1, rest.high << 1 | rest.low >> 31);
  }
  if ((rest.low | rest.high) != 0u) quotient.low |= 1u;
  return DoubleRounded(sign, DoubleExponent(a) - DoubleExponent(b) + INKREAD_DOUBLE_BIAS + 64 - num_bits, quotient);
}

INKREAD_DOUBLE_FUNCTION float DoubleToFloat(DoubleWords a) {
  const uint sign = a.high & INKREAD_DOUBLE_SIGN;
  const int exponent = DoubleExponent(a) - INKREAD_DOUBLE_BIAS + 127;
  if (exponent < 1) return INKREAD_DOUBLE_FLOAT_OF(sign);
  if (exponent >= 255) return INKREAD_DOUBLE_FLOAT_OF(sign | 0x7f800000u);
  const DoubleBits mantissa = DoubleBitsDown(DoubleMantissa(a), 32u);
  uint kept = mantissa.low >> 8;
  const uint rest = mantissa.low & 0xffu;
  if (rest > 0x80u || (rest == 0x80u && (kept & 1u) != 0u)) ++kept;
  const uint bits = sign | ((uint(exponent - 1) << 23) + kept);
  return INKREAD_DOUBLE_FLOAT_OF(bits);
}

// Rounded to the nearest integer, ties to even, and held within 32 bits.
INKREAD_DOUBLE_FUNCTION int DoubleToInt(DoubleWords a) {
  const bool is_negative = (a.high & INKREAD_DOUBLE_SIGN) != 0u;
  const int exponent = DoubleExponent(a) - INKREAD_DOUBLE_BIAS;
  if (exponent < -1) return 0;
  if (exponent >= 31) return is_negative ? int(INKREAD_DOUBLE_SIGN) : 0x7fffffff;
  // The binary point is between the two words.
  const DoubleBits parts = DoubleBitsDown(DoubleMantissa(a), uint(31 - exponent));
  uint size = parts.high;
  if (parts.low > 0x80000000u || (parts.low == 0x80000000u && (size & 1u) != 0u)) ++size;
  if (is_negative) return int(0u - size);
  return size > 0x7fffffffu ? 0x7fffffff : int(size);
}

#endif  // INKREAD_SCHEDULE_STEPS_DOUBLE_WORDS_H_
