// The clock by which the commands take times.
#ifndef INKREAD_APPS_CLOCK_H_
#define INKREAD_APPS_CLOCK_H_

#include <chrono>

namespace inkread {

using Clock = std::chrono::steady_clock;

inline double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace inkread

#endif  // INKREAD_APPS_CLOCK_H_
