// When work ends early: its caller has cancelled it, or its time is up.
#ifndef INKREAD_BASE_CANCELLATION_H_
#define INKREAD_BASE_CANCELLATION_H_

#include <atomic>
#include <chrono>
#include <optional>

#include "base/status.h"

namespace inkread {

// Once due, it stays due, whatever becomes of the caller's flag: work that was left out is never taken for done.
class Cancellation {
 public:
  using Clock = std::chrono::steady_clock;

  // flag  set by the caller to cancel; may be null; must outlive this object
  Cancellation(const std::atomic<bool>* flag, std::optional<Clock::time_point> deadline)
      : flag_(flag), deadline_(deadline) {}

  bool IsDue() const { return !Check().ok(); }

  // Errors  kCancelled, kDeadlineExceeded
  Status Check() const {
    StatusCode reason = reason_.load(std::memory_order_relaxed);
    if (reason == StatusCode::kOk) {
      if (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) reason = StatusCode::kCancelled;
      if (deadline_ && Clock::now() >= *deadline_) reason = StatusCode::kDeadlineExceeded;
      if (reason == StatusCode::kOk) return Status();
      StatusCode none = StatusCode::kOk;
      if (!reason_.compare_exchange_strong(none, reason, std::memory_order_relaxed)) reason = none;
    }
    return Status(reason, reason == StatusCode::kCancelled ? "cancelled" : "the time limit is over");
  }

 private:
  const std::atomic<bool>* const flag_;
  const std::optional<Clock::time_point> deadline_;
  mutable std::atomic<StatusCode> reason_ = StatusCode::kOk;
};

}  // namespace inkread

#endif  // INKREAD_BASE_CANCELLATION_H_
