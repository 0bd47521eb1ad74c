// Division and rounding upwards.
#ifndef INKREAD_BASE_ROUND_H_
#define INKREAD_BASE_ROUND_H_

#include <cstdint>

namespace inkread {

// a / b, rounded up; b > 0.
constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// The smallest multiple of `to` that is at least a; to > 0.
constexpr uint64_t RoundUp(uint64_t a, uint64_t to) { return DivideUp(a, to) * to; }

}  // namespace inkread

#endif  // INKREAD_BASE_ROUND_H_
