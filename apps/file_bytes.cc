#include "apps/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace inkread {
namespace {

// As many as ImageFile::Open looks at to name a file that is no image.
constexpr size_t kFirstBytes = 1024;

Status SystemError(const char* what) {
  const bool is_refused = errno == EACCES || errno == EPERM;
  const StatusCode code = errno == ENOMEM ? StatusCode::kOutOfMemory
                          : is_refused    ? StatusCode::kPermissionDenied
                                          : StatusCode::kNotFound;
  return Status(code, std::string(what) + ": " + std::strerror(errno));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Up to `size` bytes; fewer only at the end. -1 with errno on failure.
ssize_t ReadFully(int fd, uint8_t* out, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, out + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(done);
}

bool IsDecoded(std::span<const uint8_t> first_bytes) {
  return CanDecode(SniffImage(first_bytes)) || LooksLikePdf(first_bytes);
}

}  // namespace

void FileBytes::Release::operator()(uint8_t* data) const {
  if (mapped_bytes > 0) {
    munmap(data, mapped_bytes);
  } else {
    std::free(data);
  }
}

// realloc moves the pages of a large block without copying or touching them, which std::vector would do.
bool FileBytes::Reserve(size_t size) {
  void* data = std::realloc(data_.get(), size);
  if (data == nullptr) return false;
  static_cast<void>(data_.release());  // realloc has freed it
  data_.reset(static_cast<uint8_t*>(data));
  return true;
}

Result<FileBytes> ReadImageBytes(const Input& input, int64_t max_bytes_read) {
  const Status no_memory(StatusCode::kOutOfMemory, "no memory for the bytes of the file");
  const FileDescriptor file(input.is_stdin ? STDIN_FILENO : open(input.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError("cannot be opened");
  struct stat about;
  if (fstat(file.get(), &about) != 0) return SystemError("cannot be read");

  FileBytes read;
  if (!read.Reserve(kFirstBytes)) return no_memory;
  const ssize_t first = ReadFully(file.get(), read.data_.get(), kFirstBytes);
  if (first < 0) return SystemError("cannot be read");
  read.size_ = static_cast<size_t>(first);
  if (read.size_ < kFirstBytes || !IsDecoded(read.bytes())) return read;

  const int64_t size = S_ISREG(about.st_mode) ? int64_t{about.st_size} : 0;
  const bool is_whole = lseek(file.get(), 0, SEEK_CUR) == first;  // standard input may begin anywhere in a file
  if (size > max_bytes_read && is_whole) {
    void* data = mmap(nullptr, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) return SystemError("cannot be mapped");
    read.data_ = {static_cast<uint8_t*>(data), FileBytes::Release{static_cast<size_t>(size)}};
    read.size_ = static_cast<size_t>(size);
    return read;
  }
  // One byte more than a regular file has, so that its end is met without growing.
  constexpr size_t kFirstBlock = 1 << 16;
  const size_t max_room = static_cast<size_t>(max_bytes_read) + 1;
  size_t room = std::clamp(static_cast<size_t>(size) + 1, std::min(kFirstBlock, max_room), max_room);
  for (;;) {
    if (!read.Reserve(room)) return no_memory;
    const ssize_t n = ReadFully(file.get(), read.data_.get() + read.size_, room - read.size_);
    if (n < 0) return SystemError("cannot be read");
    read.size_ += static_cast<size_t>(n);
    if (static_cast<int64_t>(read.size_) > max_bytes_read) {
      return Status(StatusCode::kInvalidArgument, "does not end after " + std::to_string(max_bytes_read) +
                                                      " bytes, the limit for a stream; --max-pixels raises it");
    }
    if (read.size_ < room) return read;
    room = std::min(room * 2, max_room);
  }
}

bool IsPdfFile(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about;
  if (file.get() < 0 || fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  std::array<uint8_t, kFirstBytes> first;
  const ssize_t n = ReadFully(file.get(), first.data(), first.size());
  return n > 0 && LooksLikePdf({first.data(), static_cast<size_t>(n)});
}

bool IsImageFile(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return true;
  std::array<uint8_t, 32> first;
  const ssize_t n = ReadFully(file.get(), first.data(), first.size());
  const std::span<const uint8_t> bytes(first.data(), static_cast<size_t>(std::max<ssize_t>(n, 0)));
  return n > 0 && (LooksLikeImage(bytes) || LooksLikePdf(bytes));
}

}  // namespace inkread
