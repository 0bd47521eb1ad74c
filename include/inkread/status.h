// Status and Result: how every inkread call reports that an input, a file or a device was at fault.
//
// A Status is a code and one sentence that says where, what was expected and what was found. A Result<T> holds a T or
// an error Status:
//
//   const inkread::Result<inkread::Reading> reading = engine.Read(view);
//   if (!reading) return Report(reading.status());
//   Use(*reading);
//
// Nothing here throws. Taking the value of a Result that holds an error is a mistake of the program: it prints the
// error's message to standard error and ends the process (std::abort).
#ifndef INKREAD_STATUS_H_
#define INKREAD_STATUS_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <string>
#include <utility>
#include <variant>

namespace inkread {

enum class StatusCode {
  kOk,
  kInvalidArgument,  // the caller's value cannot be used: a stride too small, an unknown option
  kCorruptModel,     // a model or dictionary file is damaged or is not what it should be
  kUnsupported,      // well formed, but this build or backend cannot do it
  kNotFound,         // a file, model or device is not there
  kCorruptImage,     // bytes that are no image, or a damaged one
  kOutOfMemory,
  kDeviceLost,
  kCancelled,         // by ReadOptions::cancel
  kDeadlineExceeded,  // ReadOptions::time_limit_ms was over
  kPermissionDenied,  // a file or folder that this user may not open
  kInternal,          // a mistake in inkread
};

// "INVALID_ARGUMENT" and so on, as JSON and messages show it; "UNKNOWN" for a value that is no StatusCode.
INKREAD_API const char* StatusCodeName(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// Prints the error and ends the process; see Result::value.
[[noreturn]] INKREAD_API void EndWithoutValue(const Status& error);

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  // An ok Status is no error: it becomes one of kInternal that says so.
  Result(Status status) : state_(std::in_place_index<1>, AsError(std::move(status))) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  bool has_value() const { return ok(); }
  explicit operator bool() const { return ok(); }
  // The error; an ok Status when there is a value.
  Status status() const { return ok() ? Status() : *std::get_if<1>(&state_); }

  // The value. Ends the process with the error's message when there is none, and so do * and ->.
  T& value() & { return Checked(*this); }
  const T& value() const& { return Checked(*this); }
  T&& value() && { return std::move(Checked(*this)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The value, or `other` converted to T when there is none.
  template <typename U>
  T value_or(U&& other) const& {
    return ok() ? value() : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return ok() ? std::move(*this).value() : static_cast<T>(std::forward<U>(other));
  }

 private:
  static Status AsError(Status status) {
    if (!status.ok()) return status;
    return Status(StatusCode::kInternal, "a Result was made from an ok Status; expected a value or an error");
  }
  template <typename Self>
  static auto& Checked(Self& self) {
    if (!self.ok()) EndWithoutValue(*std::get_if<1>(&self.state_));
    return *std::get_if<0>(&self.state_);
  }

  std::variant<T, Status> state_;
};

}  // namespace inkread

#endif  // INKREAD_STATUS_H_
