// The bytes of an image file.
#ifndef INKREAD_C_API_FILE_BYTES_H_
#define INKREAD_C_API_FILE_BYTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace inkread::c_api {

// If the first bytes are not those of a format that is decoded, nothing more is read; ImageFile::Open tells what they
// are.
//
// Errors  kNotFound (cannot be opened, is a folder, or fails while read: the system's reason), kPermissionDenied,
//         kInvalidArgument (more than max_bytes), kOutOfMemory
Result<std::vector<uint8_t>> ReadImageFile(const std::string& path, int64_t max_bytes);

}  // namespace inkread::c_api

#endif  // INKREAD_C_API_FILE_BYTES_H_
