// The one CoreFoundation type that metal-cpp uses. Apple's header brings the C mathematics with it, and so does this.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_COREFOUNDATION_COREFOUNDATION_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_COREFOUNDATION_COREFOUNDATION_H_

#include <cmath>

typedef double CFTimeInterval;  // seconds

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_INCLUDE_COREFOUNDATION_COREFOUNDATION_H_
