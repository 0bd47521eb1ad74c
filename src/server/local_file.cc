#include "server/local_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/status.h"

namespace inkread {

Result<std::string> ReadLocalFile(const std::string& path, int64_t max_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return NotFound(path, ": no such file");
  // A pipe or a device might never end.
  if (!error && status.type() != std::filesystem::file_type::regular)
    return InvalidArgument(path, ": not a regular file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    if (errno == EACCES || errno == EPERM)
      return Status(StatusCode::kPermissionDenied, StrCat(path, ": permission denied"));
    return NotFound(path, ": ", std::strerror(errno));
  }
  const std::streamoff size = file.tellg();
  if (size > max_bytes) return InvalidArgument(path, ": has ", size, " bytes, at most ", max_bytes, " are read");
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) return Internal(path, ": cannot be read");
  return bytes;
}

}  // namespace inkread
