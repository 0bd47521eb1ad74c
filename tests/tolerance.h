// How far a result may lie from the reference's: computed from what was summed, never chosen to make a test pass.
#ifndef INKREAD_TESTS_TOLERANCE_H_
#define INKREAD_TESTS_TOLERANCE_H_

#include <cstdint>
#include <limits>

namespace inkread {

// Absolute error that `terms` float operations, each rounding a value of at most `magnitude`, can add up to.
inline double RoundingTolerance(uint64_t terms, double magnitude) {
  return static_cast<double>(terms) * std::numeric_limits<float>::epsilon() * magnitude;
}

// What the activations' polynomials may add: the bound that ActivationTest holds them to.
inline constexpr double kActivationTolerance = 1e-6;

}  // namespace inkread

#endif  // INKREAD_TESTS_TOLERANCE_H_
