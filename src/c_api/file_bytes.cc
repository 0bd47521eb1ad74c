#include "c_api/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "inkread/codec.h"

namespace inkread::c_api {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

bool IsDecoded(const std::vector<uint8_t>& first_bytes) { return CanDecode(SniffImage(first_bytes)); }

}  // namespace

Result<std::vector<uint8_t>> ReadImageFile(const std::string& path, int64_t max_bytes) {
  const auto system_error = [&path] {
    const bool is_refused = errno == EACCES || errno == EPERM;
    return Status(is_refused ? StatusCode::kPermissionDenied : StatusCode::kNotFound,
                  StrCat(path, ": ", std::strerror(errno)));
  };
  const OpenFile file(path);
  struct stat about;
  if (file.fd() < 0 || ::fstat(file.fd(), &about) != 0) return system_error();
  const Status too_long =
      InvalidArgument(path, ": longer than ", max_bytes, " bytes, which an image of at most max_pixels does not take");
  if (S_ISREG(about.st_mode) && about.st_size > max_bytes) return too_long;

  constexpr size_t kFirstBytes = 1024;
  std::vector<uint8_t> bytes;
  size_t wanted = kFirstBytes;
  while (true) {
    const size_t size = bytes.size();
    bytes.resize(size + wanted);
    const ssize_t n = ::read(file.fd(), bytes.data() + size, wanted);
    bytes.resize(size + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error();
    if (n == 0) return bytes;
    if (static_cast<int64_t>(bytes.size()) > max_bytes) return too_long;
    if (bytes.size() < kFirstBytes) {
      wanted = kFirstBytes - bytes.size();  // a pipe may give less
      continue;
    }
    if (size < kFirstBytes && !IsDecoded(bytes)) return bytes;
    // One byte more than there is shows the end. A pipe's length is not known: it doubles.
    const int64_t rest = S_ISREG(about.st_mode) ? about.st_size - static_cast<int64_t>(bytes.size()) + 1 : 0;
    wanted = std::max(static_cast<size_t>(std::max<int64_t>(rest, 0)), S_ISREG(about.st_mode) ? 1 : bytes.size());
  }
}

}  // namespace inkread::c_api
