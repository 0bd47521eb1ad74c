// How far a result may lie from the reference's: computed from what was summed, never chosen to make a test pass.
#ifndef INKREAD_TESTS_TOLERANCE_H_
#define INKREAD_TESTS_TOLERANCE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "schedule/step.h"

namespace inkread {

// Absolute error that `terms` float operations, each rounding a value of at most `magnitude`, can add up to.
inline double RoundingTolerance(uint64_t terms, double magnitude) {
  return static_cast<double>(terms) * std::numeric_limits<float>::epsilon() * magnitude;
}

// What two values, both rounded when they are stored, may lie further apart than before: a step between neighbours.
// element  INKREAD_ELEMENT_*
inline double StorageTolerance(uint32_t element, double value) {
  if (element == INKREAD_ELEMENT_F32) return 0;
  const bool is_f16 = element == INKREAD_ELEMENT_F16;
  return std::max(std::abs(value) * (is_f16 ? 0x1p-10 : 0x1p-7), is_f16 ? 0x1p-24 : 0.0);
}

// What the activations' polynomials may add: the bound that ActivationTest holds them to.
inline constexpr double kActivationTolerance = 1e-6;

}  // namespace inkread

#endif  // INKREAD_TESTS_TOLERANCE_H_
