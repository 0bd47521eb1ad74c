#include "models/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/mapped_file.h"

namespace inkread::models {
namespace {

constexpr char kScratchPrefix[] = ".fetch-";

Status CannotWrite(const std::string& path, int error) {
  return InvalidArgument(path, ": cannot write: ", std::strerror(error));
}

}  // namespace

FileWriter::FileWriter(int fd, std::string path, int64_t size_bytes)
    : fd_(fd), path_(std::move(path)), size_bytes_(size_bytes) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), size_bytes_(other.size_bytes_) {}

FileWriter::~FileWriter() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FileWriter> FileWriter::Open(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
  if (fd < 0) return CannotWrite(path, errno);
  return FileWriter(fd, path, static_cast<int64_t>(::lseek(fd, 0, SEEK_END)));
}

Result<FileWriter> FileWriter::Create(const std::string& path) { return Open(path, O_TRUNC); }
Result<FileWriter> FileWriter::Append(const std::string& path) { return Open(path, O_APPEND); }

Status FileWriter::Write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CannotWrite(path_, errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
    size_bytes_ += written;
  }
  return Status();
}

Status FileWriter::Truncate() {
  if (::ftruncate(fd_, 0) != 0 || ::lseek(fd_, 0, SEEK_SET) != 0) return CannotWrite(path_, errno);
  size_bytes_ = 0;
  return Status();
}

Status FileWriter::Sync() {
  if (::fsync(fd_) != 0) return CannotWrite(path_, errno);
  return Status();
}

Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return InvalidArgument(path, ": cannot create the folder: ", error.message());
  return Status();
}

Status MoveIntoPlace(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return CannotWrite(to, errno);
  // Syncs the folder as well, so that the new name survives a power failure.
  const std::string folder = std::filesystem::path(to).parent_path();
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return CannotWrite(folder, errno);
  const int failed = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  // Some file systems cannot sync a folder and return EINVAL, which is not an error here.
  if (failed != 0 && error != EINVAL) return CannotWrite(folder, error);
  return Status();
}

Result<std::string> ReadFile(const std::string& path) {
  INKREAD_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
  return std::string(file.bytes().begin(), file.bytes().end());
}

Result<ScratchFolder> ScratchFolder::Create(const std::string& parent) {
  std::error_code error;
  std::filesystem::directory_iterator entries(parent, error);
  if (error) return InvalidArgument(parent, ": cannot read the folder: ", error.message());
  for (const auto& entry : entries) {
    std::error_code ignored;  // ignored: files that cannot be removed do no harm
    if (entry.path().filename().string().starts_with(kScratchPrefix)) {
      std::filesystem::remove_all(entry.path(), ignored);
    }
  }
  std::string path = parent + "/" + kScratchPrefix + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return CannotWrite(parent, errno);
  return ScratchFolder(path);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<FolderLock> FolderLock::Take(const std::string& folder) {
  const std::string path = folder + "/.lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return CannotWrite(path, errno);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int error = errno;
    ::close(fd);
    return CannotWrite(path, error);
  }
  return FolderLock(fd);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace inkread::models
