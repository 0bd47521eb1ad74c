#include "base/status.h"

#include <cstdio>
#include <cstdlib>

namespace inkread {

const char* StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "OK";
    case StatusCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case StatusCode::kCorruptModel:
      return "CORRUPT_MODEL";
    case StatusCode::kUnsupported:
      return "UNSUPPORTED";
    case StatusCode::kNotFound:
      return "NOT_FOUND";
    case StatusCode::kCorruptImage:
      return "CORRUPT_IMAGE";
    case StatusCode::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case StatusCode::kDeviceLost:
      return "DEVICE_LOST";
    case StatusCode::kCancelled:
      return "CANCELLED";
    case StatusCode::kDeadlineExceeded:
      return "DEADLINE_EXCEEDED";
    case StatusCode::kInternal:
      return "INTERNAL";
    case StatusCode::kPermissionDenied:
      return "PERMISSION_DENIED";
  }
  return "UNKNOWN";
}

void EndWithoutValue(const Status& error) {
  std::fprintf(stderr, "inkread: the value of a Result was taken, but it holds an error: %s: %s\n",
               StatusCodeName(error.code()), error.message().c_str());
  std::abort();
}

void CheckFailed(const char* file, int line, const char* expectation) {
  std::fprintf(stderr, "%s:%d: inkread internal error: expected %s\n", file, line, expectation);
  std::abort();
}

}  // namespace inkread
