// Measures the stages of a read.
#ifndef INKREAD_OCR_STAGE_TIMER_H_
#define INKREAD_OCR_STAGE_TIMER_H_

#include <chrono>

#include "base/trace.h"

namespace inkread {

// Adds the time that it lives to a stage.
class StageTimer {
 public:
  StageTimer(double& ms, const char* name) : span_(name), ms_(ms), start_(std::chrono::steady_clock::now()) {}
  ~StageTimer() { ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count(); }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  const TraceSpan span_;
  double& ms_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace inkread

#endif  // INKREAD_OCR_STAGE_TIMER_H_
