// Files that a client on this machine names, through a door that only it can reach.
#ifndef INKREAD_SERVER_LOCAL_FILE_H_
#define INKREAD_SERVER_LOCAL_FILE_H_

#include <cstdint>
#include <string>

#include "inkread/status.h"

namespace inkread {

// Errors  kNotFound (no such file), kPermissionDenied, kInvalidArgument (no regular file, or more than max_bytes),
//         kInternal (cannot be read)
Result<std::string> ReadLocalFile(const std::string& path, int64_t max_bytes);

}  // namespace inkread

#endif  // INKREAD_SERVER_LOCAL_FILE_H_
