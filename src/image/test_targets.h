// Each instruction set that rows.h has code for, for tests.
#ifndef INKREAD_IMAGE_TEST_TARGETS_H_
#define INKREAD_IMAGE_TEST_TARGETS_H_

#include <gtest/gtest.h>

#include "hwy/highway.h"

namespace inkread {

// Calls body() once with each instruction set that this machine has, and leaves the best one chosen.
template <typename Body>
void WithEachTarget(Body&& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    body();
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace inkread

#endif  // INKREAD_IMAGE_TEST_TARGETS_H_
