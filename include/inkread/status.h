// Status and Result: how every inkread call reports that an input, a file or a device was at fault.
//
// A Status is a code and one sentence that says where, what was expected and what was found. A Result<T> is a T or a
// Status. Mistakes of the calling code inside inkread stop the process (INKREAD_CHECK); nothing here throws.
#ifndef INKREAD_STATUS_H_
#define INKREAD_STATUS_H_

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
  kInternal,
};

// "INVALID_ARGUMENT" and so on: what JSON and messages show.
const char* StatusCodeName(StatusCode code);

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

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}         // NOLINT: implicit on purpose
  Result(Status status) : state_(std::in_place_index<1>, std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  // The error; an ok Status when there is a value.
  Status status() const { return ok() ? Status() : std::get<1>(state_); }

  // The value; only when ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace inkread

#endif  // INKREAD_STATUS_H_
