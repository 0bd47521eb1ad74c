#include "c_api/conventions.h"

#include <cstdlib>

namespace inkread::c_api {

inkread_status_code ToC(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return INKREAD_OK;
    case StatusCode::kInvalidArgument:
      return INKREAD_ERROR_INVALID_ARGUMENT;
    case StatusCode::kCorruptModel:
      return INKREAD_ERROR_CORRUPT_MODEL;
    case StatusCode::kUnsupported:
      return INKREAD_ERROR_UNSUPPORTED;
    case StatusCode::kNotFound:
      return INKREAD_ERROR_NOT_FOUND;
    case StatusCode::kCorruptImage:
      return INKREAD_ERROR_CORRUPT_IMAGE;
    case StatusCode::kOutOfMemory:
      return INKREAD_ERROR_OUT_OF_MEMORY;
    case StatusCode::kDeviceLost:
      return INKREAD_ERROR_DEVICE_LOST;
    case StatusCode::kCancelled:
      return INKREAD_ERROR_CANCELLED;
    case StatusCode::kDeadlineExceeded:
      return INKREAD_ERROR_DEADLINE_EXCEEDED;
    case StatusCode::kPermissionDenied:
      return INKREAD_ERROR_PERMISSION_DENIED;
    case StatusCode::kInternal:
      break;
  }
  return INKREAD_ERROR_INTERNAL;
}

inkread_status_code Report(const Status& status, char** message) {
  if (message != nullptr) {
    *message = nullptr;
    if (!status.ok()) {
      const size_t bytes = status.message().size() + 1;
      *message = static_cast<char*>(std::malloc(bytes));
      if (*message != nullptr) std::memcpy(*message, status.message().c_str(), bytes);
    }
  }
  return ToC(status.code());
}

Status Refuse(const char* name, size_t struct_size, size_t expected) {
  return InvalidArgument("'", name, "' has a struct_size of ", struct_size, "; expected the sizeof of the struct, ",
                         expected, " bytes in this version");
}

}  // namespace inkread::c_api

void inkread_message_free(char* message) { std::free(message); }

const char* inkread_status_name(int32_t status) {
  using inkread::StatusCode;
  for (int code = 0; code <= static_cast<int>(StatusCode::kInternal); ++code) {
    const auto value = static_cast<StatusCode>(code);
    if (inkread::c_api::ToC(value) == status) return inkread::StatusCodeName(value);
  }
  return "UNKNOWN";
}

const char* inkread_version(void) {
  try {
    static const std::string version = inkread::VersionString();
    return version.c_str();
  } catch (const std::exception&) {
    return "";
  }
}
