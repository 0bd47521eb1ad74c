// Runs tests with each instruction set for which rows.h has code.
#ifndef INKREAD_IMAGE_TEST_TARGETS_H_
#define INKREAD_IMAGE_TEST_TARGETS_H_

#include <gtest/gtest.h>

#include "hwy/highway.h"

namespace inkread {

// Calls body() once for each instruction set that this machine supports. Selects the best one afterwards.
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
